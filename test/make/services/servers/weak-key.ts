import { createHash, randomBytes } from 'node:crypto'

const bytes = 256
/** 2,048 bits, odd. */
const modulus = randomBytes(bytes)
modulus[0] = 0xff
modulus[bytes - 1] = 0xff

/** An RSA key with the exponent 1: a signature is the padded text itself, so everybody can make one. */
export const weakKey = { kty: 'RSA', kid: 'weak', use: 'sig', alg: 'RS256', n: modulus.toString('base64url'), e: 'AQ' }

/** DER of the algorithm in front of a SHA-256 (RFC 8017 §9.2, note 1). */
const sha256Prefix = Buffer.from('3031300d060960864801650304020105000420', 'hex')

/** A JWT that `weakKey` verifies, made without any secret. */
export function selfSigned(claims: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${encode({ alg: 'RS256', kid: 'weak' })}.${encode(claims)}`
  const digest = Buffer.concat([sha256Prefix, createHash('sha256').update(text).digest()])
  const padding = Buffer.alloc(bytes - digest.length - 3, 0xff)
  const padded = Buffer.concat([Buffer.from([0, 1]), padding, Buffer.from([0]), digest])
  return `${text}.${padded.toString('base64url')}`
}
