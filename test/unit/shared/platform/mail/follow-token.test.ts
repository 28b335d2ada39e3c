import { expect, it } from 'vitest'
import { followToken, isFollowToken, parseFollowToken } from '../../../../../shared/platform/mail/follow-token.ts'
import { mailThread } from '../../../../../shared/platform/mail/record-thread.ts'

const [key, other] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
const record = { model: 'requests', id: 42 }
const isValid = (text: string, by = key): boolean => {
  const parsed = parseFollowToken(text)
  return parsed !== undefined && isFollowToken(by, parsed)
}

it('is of one record of one tenant, and always the same', () => {
  const token = followToken(key, 3, record)
  expect(token).toMatch(/^3\.requests\.42\.[a-z2-7]{32}$/)
  expect(followToken(key, 3, record)).toBe(token)
  expect(parseFollowToken(token)).toMatchObject({ tenantId: 3, record })
  expect([isValid(token), isValid(token, other)]).toEqual([true, false])
})

it.each([
  ['another record', (token: string) => token.replace('.42.', '.43.')],
  ['another table', (token: string) => token.replace('requests', 'clients')],
  ['another tenant', (token: string) => token.replace(/^3/, '4')],
  ['another end', (token: string) => token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))],
  ['a shorter end', (token: string) => token.slice(0, -16)],
  ['more behind it', (token: string) => `${token}a`],
])('is not believed with %s', (_, changed) => {
  expect(isValid(changed(followToken(key, 3, record)))).toBe(false)
})

it('is none of the ids in mails, which more people read', () => {
  const { id, reference } = mailThread(key, 3, record, 'follow')
  expect([isValid(id), isValid(reference), isValid(id.replace('follow.', ''))]).toEqual([false, false, false])
})
