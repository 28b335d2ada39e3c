import { Invalid, Malformed, TooLarge, type FieldErrors } from '../../kernel/faults.ts'
import { maxBodyBytes, maxBodyDepth, maxBodyKeys } from '../../kernel/limits/requests.ts'

const poisonousKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Which limits a body has instead of those of every body. */
interface BodyLimits {
  /** The caller inspects each member of `rows` itself. */
  readonly eachRow?: boolean
  /** So many keys in each element of the body's lists, and 10,000 in all the rest. */
  readonly keysPerElement?: number
}

/**
 * Reads a request body as JSON; undefined when there is none. Throws TooLarge over 4 MB, Malformed when it is not JSON
 * in UTF-8, and Invalid for what `inspectJson` refuses.
 */
export function readJsonBody(
  body: string | undefined,
  isBase64: boolean,
  { eachRow = false, keysPerElement }: BodyLimits = {},
): unknown {
  if (body === undefined || body === '') return undefined
  const text = isBase64 ? decodeUtf8(body) : body
  if (text.length > maxBodyBytes || (text.length > maxBodyBytes / 4 && Buffer.byteLength(text) > maxBodyBytes)) {
    throw new TooLarge('The request body is larger than 4 MB.')
  }
  const value = parse(text, 'request body')
  inspectJson(eachRow ? withoutRows(value) : value, { keysPerElement })
  return value
}

/**
 * Reads an uploaded file as JSON; how large it may be is up to the caller. Throws Malformed when it is not JSON in UTF-8,
 * and Invalid for what `inspectJson` refuses.
 */
export function readJsonFile(bytes: Uint8Array, limits: Pick<BodyLimits, 'keysPerElement'>): unknown {
  const value = parse(asText(bytes, 'file'), 'file')
  inspectJson(value, limits)
  return value
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Malformed('malformed_json', `The ${what} is not valid JSON: ${(cause as Error).message}`, { cause })
  }
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
  return asText(bytes, 'request body')
}

function asText(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Malformed('malformed_json', `The ${what} is not valid UTF-8.`, { cause })
  }
}

interface Visit {
  readonly value: unknown
  readonly depth: number
  readonly path: Path | null
  readonly keys: KeyCount
}
/** The keys counted so far, of the whole or of one element. */
interface KeyCount {
  readonly most: number
  found: number
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

/** The depth of what the lists of a body hold: body, list, element. */
const elementDepth = 3

/**
 * Throws Invalid, with its path, for a value deeper than 32 levels, more than 10,000 keys, keys such as `__proto__`,
 * unpaired surrogates and numbers that are not finite. `keysPerElement`: each element of a list that is a member of
 * `root` may have so many keys of its own. Not recursive, because deep bodies would overflow the stack.
 */
export function inspectJson(root: unknown, { keysPerElement }: Pick<BodyLimits, 'keysPerElement'> = {}): void {
  const pending: Visit[] = [{ value: root, depth: 1, path: null, keys: { most: maxBodyKeys, found: 0 } }]
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const { value, depth, path, keys } = visit
    if (typeof value === 'string') {
      if (!value.isWellFormed()) refuse(path, 'holds an unpaired surrogate, which is not text.')
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) refuse(path, 'must be a finite number.')
    } else if (typeof value === 'object' && value !== null) {
      if (depth > maxBodyDepth) refuse(path, `is nested deeper than ${maxBodyDepth} levels.`)
      if (Array.isArray(value)) {
        const countsEach = keysPerElement !== undefined && depth + 1 === elementDepth
        for (let index = value.length - 1; index >= 0; index -= 1) {
          pending.push({
            value: value[index],
            depth: depth + 1,
            path: { parent: path, step: index },
            keys: countsEach ? { most: keysPerElement, found: 0 } : keys,
          })
        }
      } else {
        for (const [key, member] of Object.entries(value)) {
          const at = { parent: path, step: key }
          if (poisonousKeys.has(key)) refuse(at, 'is not allowed as a key.')
          if (!key.isWellFormed()) refuse(path, 'holds a key with an unpaired surrogate, which is not text.')
          keys.found += 1
          if (keys.found > keys.most) refuse(path, `holds more than ${keys.most} keys.`)
          pending.push({ value: member, depth: depth + 1, path: at, keys })
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
