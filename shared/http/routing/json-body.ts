import { Invalid, Malformed, TooLarge, type FieldErrors } from '../../kernel/faults.ts'

export const maxBodyBytes = 4 * 1024 * 1024
const maxDepth = 32
const maxKeys = 10_000
const poisonousKeys = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Reads a request body as JSON; undefined when there is none. Throws TooLarge over 4 MB, Malformed when it is not JSON
 * in UTF-8, and Invalid for what `inspectJson` refuses. With `eachRow` the caller inspects each member of `rows`
 * itself.
 */
export function readJsonBody(
  body: string | undefined,
  isBase64: boolean,
  { eachRow = false }: { eachRow?: boolean } = {},
): unknown {
  if (body === undefined || body === '') return undefined
  const text = isBase64 ? decodeUtf8(body) : body
  if (text.length > maxBodyBytes || (text.length > maxBodyBytes / 4 && Buffer.byteLength(text) > maxBodyBytes)) {
    throw new TooLarge('The request body is larger than 4 MB.')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Malformed('malformed_json', `The request body is not valid JSON: ${(cause as Error).message}`, { cause })
  }
  inspectJson(eachRow ? withoutRows(value) : value)
  return value
}

/** A request body as it was sent. Throws TooLarge over 4 MB. */
export function bodyBytes(body: string | undefined, isBase64: boolean): Buffer {
  const bytes = Buffer.from(body ?? '', isBase64 ? 'base64' : 'utf8')
  if (bytes.length > maxBodyBytes) throw new TooLarge('The request body is larger than 4 MB.')
  return bytes
}

function decodeUtf8(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > maxBodyBytes) throw new TooLarge('The request body is larger than 4 MB.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Malformed('malformed_json', 'The request body is not valid UTF-8.', { cause })
  }
}

interface Visit {
  readonly value: unknown
  readonly depth: number
  readonly path: Path | null
}
interface Path {
  readonly parent: Path | null
  readonly step: string | number
}

/** The body with each row replaced by null. */
function withoutRows(body: unknown): unknown {
  const rows = typeof body === 'object' && body !== null ? (body as { rows?: unknown }).rows : undefined
  return Array.isArray(rows) ? { ...(body as object), rows: rows.map(() => null) } : body
}

/**
 * Throws Invalid, with its path, for a value deeper than 32 levels, more than 10,000 keys, keys such as `__proto__`,
 * unpaired surrogates and numbers that are not finite. Not recursive, because deep bodies would overflow the stack.
 */
export function inspectJson(root: unknown): void {
  const pending: Visit[] = [{ value: root, depth: 1, path: null }]
  let keys = 0
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const { value, depth, path } = visit
    if (typeof value === 'string') {
      if (!value.isWellFormed()) refuse(path, 'holds an unpaired surrogate, which is not text.')
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) refuse(path, 'must be a finite number.')
    } else if (typeof value === 'object' && value !== null) {
      if (depth > maxDepth) refuse(path, `is nested deeper than ${maxDepth} levels.`)
      if (Array.isArray(value)) {
        for (let index = value.length - 1; index >= 0; index -= 1) {
          pending.push({ value: value[index], depth: depth + 1, path: { parent: path, step: index } })
        }
      } else {
        for (const [key, member] of Object.entries(value)) {
          const at = { parent: path, step: key }
          if (poisonousKeys.has(key)) refuse(at, 'is not allowed as a key.')
          if (!key.isWellFormed()) refuse(path, 'holds a key with an unpaired surrogate, which is not text.')
          keys += 1
          if (keys > maxKeys) refuse(path, `holds more than ${maxKeys} keys.`)
          pending.push({ value: member, depth: depth + 1, path: at })
        }
      }
    }
  }
}

function refuse(path: Path | null, problem: string): never {
  const steps: (string | number)[] = []
  for (let at = path; at !== null && steps.length < 40; at = at.parent) steps.unshift(at.step)
  const name = steps.join('.').slice(0, 200).toWellFormed() || 'body'
  const errors: FieldErrors = {}
  Object.defineProperty(errors, name, { value: [`The ${name} ${problem}`], enumerable: true })
  throw new Invalid(errors)
}
