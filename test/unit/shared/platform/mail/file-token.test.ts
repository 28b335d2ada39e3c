import { expect, it } from 'vitest'
import { fileToken, isFileToken, parseFileToken } from '../../../../../shared/platform/mail/file-token.ts'

const [key, other] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
const file = 'o2Yx0c7WQm1kT9vJ4pLh_r-N'
const link = { tenantId: 3, commentId: 7, file, expiresAt: 1_800_000_000 }
const isValid = (text: string, by = key, nowMs = 1_799_999_999_999): boolean => {
  const parsed = parseFileToken(text)
  return parsed !== undefined && isFileToken(by, parsed, nowMs)
}

it('opens one file of one comment until it expires', () => {
  const token = fileToken(key, link)
  expect(parseFileToken(token)).toMatchObject(link)
  expect([isValid(token), isValid(token, other), isValid(token, key, 1_800_000_000_000)]).toEqual([true, false, false])
})

it.each([
  ['another tenant', (token: string) => token.replace(/^3/, '4')],
  ['another comment', (token: string) => token.replace('.7.', '.8.')],
  ['another file', (token: string) => token.replace('o2Yx', 'o2Yy')],
  ['a later end', (token: string) => token.replace('1800000000', '1900000000')],
  ['another MAC', (token: string) => token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))],
  ['more behind it', (token: string) => `${token}a`],
])('is not believed with %s', (_, changed) => {
  expect(isValid(changed(fileToken(key, link)))).toBe(false)
})
