import { maxSsoTokenCharacters } from '../../../../kernel/limits/accounts.ts'

type Members = Readonly<Record<string, unknown>>

/** A JWT in compact form whose signature is not verified yet. */
export interface CompactToken {
  readonly header: Members
  readonly claims: Members
}

/** Signatures that only the holder of a private key can make. */
export const allowedAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const

/** They name a key that the token brings along, or extensions that the service does not know (RFC 7515 §4.1). */
const refusedHeaders = ['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64', 'zip', 'enc']
/** Others, such as `logout+jwt`, are made for another purpose (RFC 8725 §3.11). */
const allowedTypes = /^(?:application\/)?(?:at\+)?jwt$/i

/**
 * Reads a JWT strictly: three segments in canonical base64url, JSON objects in UTF-8, an allowed algorithm, no header
 * that names a key. Undefined when it is anything else.
 */
export function readCompactToken(token: string): CompactToken | undefined {
  if (token.length > maxSsoTokenCharacters) return undefined
  const segments = token.split('.').map(decodeSegment)
  const [head, body, signature] = segments
  if (segments.length !== 3 || !head || !body || !signature) return undefined
  const [header, claims] = [readObject(head), readObject(body)]
  return header && claims && isAllowedHeader(header) ? { header, claims } : undefined
}

/** Padding, white space, characters of plain base64 and bits after the end do not survive the way back. */
function decodeSegment(segment: string): Buffer | undefined {
  const bytes = Buffer.from(segment, 'base64url')
  return bytes.length > 0 && bytes.toString('base64url') === segment ? bytes : undefined
}

function readObject(bytes: Buffer): Members | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined
  } catch {
    return undefined
  }
}

function isAllowedHeader({ alg, typ, kid, ...others }: Members): boolean {
  return (
    (allowedAlgorithms as readonly unknown[]).includes(alg) &&
    (typ === undefined || (typeof typ === 'string' && allowedTypes.test(typ))) &&
    (kid === undefined || typeof kid === 'string') &&
    !refusedHeaders.some((name) => Object.hasOwn(others, name))
  )
}
