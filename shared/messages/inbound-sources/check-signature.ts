import { createHmac, timingSafeEqual } from 'node:crypto'
import type { InboundSource } from './source.ts'

type Headers = Readonly<Record<string, string | undefined>>

/** Standard Webhooks: how old or how far ahead a request may be. */
const toleranceMs = 5 * 60_000

/** Whether a request is signed as its source signs. `secret`: opened. Compares in constant time. */
export function isSigned(
  hmac: NonNullable<InboundSource['hmac']>,
  secret: string,
  headers: Headers,
  body: Uint8Array,
  nowMs: number,
): boolean {
  if (hmac.scheme === 'standard-webhooks') return isStandard(secret, headers, body, nowMs)
  const given = headers[hmac.header]
  if (!given?.startsWith(hmac.prefix)) return false
  const expected = createHmac(hmac.algorithm, secret).update(body).digest()
  // Hex is read in either case, and both alphabets of base64.
  return areEqual(Buffer.from(given.slice(hmac.prefix.length).trim(), hmac.encoding), expected)
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
function isStandard(secret: string, headers: Headers, body: Uint8Array, nowMs: number): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (id === undefined || timestamp === undefined || signatures === undefined) return false
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs - Number(timestamp) * 1000) > toleranceMs) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures
    .split(' ', 20)
    .some((one) => one.startsWith('v1,') && areEqual(Buffer.from(one.slice(3), 'base64'), expected))
}

const areEqual = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
