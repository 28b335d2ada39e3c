import { expect } from 'vitest'
import type { ParsedMail } from '../../../shared/messages/mailbox/mail/parts/parsed-mail.ts'

/** What holds of every mail, whatever its bytes are. */
export function expectBounded(mail: ParsedMail): void {
  const oneLine = /^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u
  const { body, html, subject, headers, from, to, cc, replyTo, attachments, references, date } = mail
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(256 * 1024)
  expect(/(?![\n\t])\p{Cc}/u.test(body)).toBe(false)
  expect(Buffer.byteLength(html ?? '')).toBeLessThanOrEqual(512 * 1024)
  expect(html ?? '').not.toMatch(
    /<(?:script|style|iframe|object|embed|form|meta|base|link|svg|math)\b|\son\w+\s*=\s*"/i,
  )
  expect(subject ?? '').toMatch(oneLine)
  expect((subject ?? '').length).toBeLessThanOrEqual(998)
  for (const value of Object.values(headers).flat()) expect(oneLine.test(value) && value.length <= 2000).toBe(true)
  expect(Object.keys(headers).length).toBeLessThanOrEqual(200)
  expect(JSON.stringify(headers).length).toBeLessThan(200 * 1024)
  for (const list of [to, cc, replyTo, from ? [from] : []]) {
    expect(list.length).toBeLessThanOrEqual(1000)
    for (const { name, email } of list) {
      expect(name ?? 'x').toMatch(oneLine)
      expect(email ?? 'a@b').toMatch(/^[^\s@<>,;"]+@[^\s@<>,;"]+$/)
    }
  }
  for (const { name, contentType } of attachments) {
    expect(name).toMatch(/^(?!\.)[^/\\]{1,150}$/)
    expect(name).toMatch(oneLine)
    expect(contentType).toMatch(/^[a-z0-9][\w!#$&^.+-]*\/[\w!#$&^.+-]+$/)
  }
  expect(attachments.length).toBeLessThanOrEqual(1000)
  expect(references.length).toBeLessThanOrEqual(100)
  expect(date === null || new Date(date).toISOString() === date).toBe(true)
  expect(JSON.stringify(mail).isWellFormed()).toBe(true)
}
