import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  mailId,
  mailThread,
  readMailId,
  readRecordToken,
  readThread,
  recordToken,
} from '../../../../../shared/platform/mail/record-thread.ts'

const key = Buffer.alloc(32, 1)
const otherKey = Buffer.alloc(32, 2)
const record = { model: 'service_requests', id: 42 }
const messageId = 'msg_0123456789abcdef0123456789abcdef_7'
const thread = mailThread(key, 7, record, messageId)
const longest = mailThread(key, 9_999_999, { model: 'm'.repeat(63), id: 999_999_999_999 }, `${messageId}99999`)

describe('the ids of a mail about a record', () => {
  it('say the mail, the record and the tenant, and are the same in every attempt', () => {
    expect(thread.id).toMatch(/^msg_0123456789abcdef0123456789abcdef_7\.7\.service_requests\.42\.[a-z2-7]{16}$/)
    expect(thread.reference).toMatch(/^thread\.7\.service_requests\.42\.[a-z2-7]{16}$/)
    expect(mailThread(key, 7, record, messageId)).toEqual(thread)
    expect(mailThread(key, 7, record, 'msg_2_0').reference).toBe(thread.reference)
  })

  it('are atoms of at most 155 characters', () => {
    for (const id of [longest.id, longest.reference, thread.id]) {
      expect(id).toMatch(/^[a-z0-9_]+(?:\.[a-z0-9_]+)*$/)
      expect(id.length).toBeLessThanOrEqual(155)
    }
  })

  it.each([
    ['as they are', thread.id],
    ['with brackets', `<${thread.id}@acme.test>`],
    ['in capitals', `<${thread.id.toUpperCase()}@ACME.TEST>`],
    ['with another domain', `<${thread.id}@mx.outlook.example>`],
    ['cut after the @', `<${thread.id}@`],
    ['with spaces around', ` <${thread.id}@acme.test> `],
  ])('are read %s', (_, text) => {
    expect(readThread(key, 7, text)).toEqual({ record, messageId })
  })

  it('are read when all mails about the record share them', () => {
    expect(readThread(key, 7, `<${thread.reference}@acme.test>`)).toEqual({ record })
  })

  it.each([
    ['of another tenant', 8, key, thread.id],
    ['of another key', 7, otherKey, thread.id],
    ['of another record', 7, key, thread.id.replace('.42.', '.43.')],
    ['of another table', 7, key, thread.id.replace('service_requests', 'requests')],
    ['of another mail', 7, key, thread.id.replace('_7.', '_8.')],
    ['with the MAC of the other id', 7, key, thread.id.replace(/[^.]+$/, thread.reference.slice(-16))],
    ['with a MAC that is cut', 7, key, thread.id.slice(0, -1)],
    ['with a longer MAC', 7, key, `${thread.id}a`],
    ['without a MAC', 7, key, thread.id.slice(0, -17)],
    ['with something before', 7, key, `x@${thread.id}`],
    ['of nothing', 7, key, ''],
    ['of very many characters', 7, key, `<${'a.'.repeat(50_000)}>`],
  ])('are ignored %s', (_, tenantId, secret, text) => {
    expect(readThread(secret, tenantId, text)).toBeUndefined()
  })

  it('cannot be made by changing a letter', () => {
    fc.assert(
      fc.property(
        fc.nat(thread.id.length - 1),
        fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz234567._'),
        (at, letter) => {
          const changed = thread.id.slice(0, at) + letter + thread.id.slice(at + 1)
          return changed === thread.id || readThread(key, 7, changed) === undefined
        },
      ),
    )
  })
})

describe('the signed id of a mail', () => {
  const { id } = mailId(key, 7, messageId)

  it('is read with or without a record', () => {
    expect(id).toMatch(/^msg_0123456789abcdef0123456789abcdef_7\.7\.[a-z2-7]{16}$/)
    for (const one of [id, `<${id.toUpperCase()}@ACME.TEST>`, thread.id])
      expect(readMailId(key, 7, one)).toBe(messageId)
  })

  it.each([
    ['of another tenant', 8, id],
    ['of another mail', 7, id.replace('_7.', '_8.')],
    ['with the MAC of a mail about a record', 7, id.replace(/[^.]+$/, thread.id.slice(-16))],
    ['without a MAC', 7, messageId],
    ['that all mails about a record share', 7, thread.reference],
  ])('is none %s', (_, tenantId, text) => expect(readMailId(key, tenantId, text)).toBeUndefined())
})

describe('the token of a record', () => {
  const token = recordToken(key, 7, record)

  it('is short', () => {
    expect(token).toMatch(/^\[#service_requests-42-[a-z2-7]{8}\]$/)
  })

  it.each([
    ['in a subject', `Re: Lamp ${token}`],
    ['in capitals', `RE: ${token.toUpperCase()} Lamp`],
    ['after one that is wrong', `[#service_requests-42-aaaaaaaa] ${token}`],
    ['with spaces inside', token.replace('[#', '[# ').replace(']', ' ]')],
  ])('is read %s', (_, subject) => {
    expect(readRecordToken(key, 7, subject)).toEqual(record)
  })

  it.each([
    ['of another tenant', 8, token],
    ['of another record', 7, token.replace('-42-', '-43-')],
    ['that is cut', 7, token.replace(/.\]$/, ']')],
    ['that is made up', 7, '[#service_requests-42-abcdefgh]'],
  ])('is ignored %s', (_, tenantId, subject) => {
    expect(readRecordToken(key, tenantId, subject)).toBeUndefined()
  })
})
