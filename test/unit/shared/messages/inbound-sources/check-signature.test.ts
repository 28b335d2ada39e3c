import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isSigned } from '../../../../../shared/messages/inbound-sources/receive-request.ts'

const nowMs = Date.parse('2026-11-20T08:00:00.000Z')
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const body = Buffer.from('{"a":1}')
const minutes = 60

function standard(atSeconds: number, more: Readonly<Record<string, string | undefined>> = {}) {
  const timestamp = String(atSeconds)
  const signature = createHmac('sha256', Buffer.alloc(24, 7)).update(`m1.${timestamp}.`).update(body).digest('base64')
  return { 'webhook-id': 'm1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}`, ...more }
}
const isStandard = (headers: Readonly<Record<string, string | undefined>>, at = nowMs) =>
  isSigned({ scheme: 'standard-webhooks', sealed: '' }, secret, headers, body, at)

describe('a request that is signed as Standard Webhooks', () => {
  it.each([
    ['now', 0, true],
    ['five minutes ago', -5 * minutes, true],
    ['a second more ago', -5 * minutes - 1, false],
    ['in five minutes', 5 * minutes, true],
    ['in a second more', 5 * minutes + 1, false],
  ])('and was sent %s is taken: %#', (_, offset, isTaken) => {
    expect(isStandard(standard(nowMs / 1000 + offset))).toBe(isTaken)
  })

  it('is too old a millisecond after five minutes', () => {
    expect(isStandard(standard(nowMs / 1000), nowMs + 5 * minutes * 1000)).toBe(true)
    expect(isStandard(standard(nowMs / 1000), nowMs + 5 * minutes * 1000 + 1)).toBe(false)
  })

  const { 'webhook-signature': genuine } = standard(nowMs / 1000)
  it.each([
    ['several signatures, of which one is right', { 'webhook-signature': `v1,AAAA ${genuine}` }, true],
    ['the signature of another version', { 'webhook-signature': genuine.replace('v1,', 'v2,') }, false],
    ['the signature of another id', { 'webhook-id': 'm2' }, false],
    ['the signature of another time', { 'webhook-timestamp': String(nowMs / 1000 + 1) }, false],
    ['a time that is no number', { 'webhook-timestamp': 'now' }, false],
    ['no id', { 'webhook-id': undefined }, false],
    ['no time', { 'webhook-timestamp': undefined }, false],
    ['no signature', { 'webhook-signature': undefined }, false],
  ])('with %s is taken: %#', (_, more, isTaken) => {
    expect(isStandard(standard(nowMs / 1000, more))).toBe(isTaken)
  })
})

describe('a request that is signed by a header of its own', () => {
  const hmac = {
    scheme: 'header',
    header: 'x-sign',
    algorithm: 'sha256',
    encoding: 'hex',
    prefix: 'sha256=',
    sealed: '',
  } as const
  const hex = createHmac('sha256', 'geheimnis').update(body).digest('hex')
  it.each([
    [`sha256=${hex}`, true],
    [`sha256=${hex.toUpperCase()}`, true],
    [hex, false],
    [`sha256=${hex.slice(2)}`, false],
    [undefined, false],
  ])('%s is taken: %s', (value, isTaken) => {
    expect(isSigned(hmac, 'geheimnis', { 'x-sign': value }, body, nowMs)).toBe(isTaken)
  })
})
