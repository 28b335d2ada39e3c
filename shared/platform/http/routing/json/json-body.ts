import { Malformed, TooLarge } from '../../../../kernel/failures/faults.ts'
import { maxBodyBytes, maxBodyKeys } from '../../../../kernel/limits/requests.ts'
import { inspectJson } from './inspect-json.ts'
import { type CountLimits, refuseTooMany } from './scan-json.ts'

/** Which limits a body has instead of those of every body. */
interface BodyLimits extends CountLimits {
  /** The caller inspects each member of `rows` itself. */
  readonly eachRow?: boolean
  readonly maxBytes?: number
}

/** A row of an import that has more keys than may be is reported; one with far more is not even parsed. */
export const parsedKeysOfRow = 10 * maxBodyKeys

/**
 * Reads a request body as JSON; undefined when there is none. Throws TooLarge over 4 MB or `maxBytes`, Malformed when it is
 * not JSON in UTF-8, and Invalid for what `refuseTooMany` and `inspectJson` refuse.
 */
export function readJsonBody(
  body: string | undefined,
  isBase64: boolean,
  { eachRow = false, keysPerElement, maxElements, maxBytes = maxBodyBytes }: BodyLimits = {},
): unknown {
  if (body === undefined || body === '') return undefined
  const bytes = bodyBytes(body, isBase64, maxBytes)
  const text = isBase64 ? asText(bytes, 'request body') : body
  refuseTooMany(bytes, { maxElements, keysPerElement: eachRow ? parsedKeysOfRow : keysPerElement })
  const value = parse(text, 'request body')
  inspectJson(eachRow ? withoutRows(value) : value, { maxElements, keysPerElement })
  return value
}

/**
 * Reads an uploaded file as JSON; how large it may be is up to the caller. Throws Malformed when it is not JSON in UTF-8,
 * and Invalid for what `refuseTooMany` and `inspectJson` refuse.
 */
export function readJsonFile(bytes: Uint8Array, limits: CountLimits): unknown {
  const text = asText(bytes, 'file')
  refuseTooMany(bytes, limits)
  const value = parse(text, 'file')
  inspectJson(value, limits)
  return value
}

/** A request body as it was sent. Throws TooLarge over 4 MB or `maxBytes`. */
export function bodyBytes(body: string | undefined, isBase64: boolean, maxBytes = maxBodyBytes): Buffer {
  const least = body === undefined ? 0 : isBase64 ? Math.floor(body.length / 4) * 3 - 2 : body.length
  if (least > maxBytes) throw tooLarge(maxBytes)
  const bytes = Buffer.from(body ?? '', isBase64 ? 'base64' : 'utf8')
  if (bytes.length > maxBytes) throw tooLarge(maxBytes)
  return bytes
}

const tooLarge = (maxBytes: number): TooLarge =>
  new TooLarge(
    maxBytes < maxBodyBytes
      ? `The request body is larger than ${Math.floor(maxBytes / 1024)} KB, which is the most that this address takes.`
      : 'The request body is larger than 4 MB.',
  )

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Malformed('malformed_json', `The ${what} is not valid JSON: ${(cause as Error).message}`, { cause })
  }
}

function asText(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Malformed('malformed_json', `The ${what} is not valid UTF-8.`, { cause })
  }
}

/** The body with each row replaced by null. */
function withoutRows(body: unknown): unknown {
  const rows = typeof body === 'object' && body !== null ? (body as { rows?: unknown }).rows : undefined
  return Array.isArray(rows) ? { ...(body as object), rows: rows.map(() => null) } : body
}
