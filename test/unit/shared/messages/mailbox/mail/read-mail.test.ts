import { describe, expect, it } from 'vitest'
import type { ParsedMail } from '../../../../../../shared/messages/mailbox/mail/parts/parsed-mail.ts'
import { readMail } from '../../../../../../shared/messages/mailbox/mail/read-mail.ts'
import { runs } from '../../../../../make/depth.ts'
import { mailOf } from '../../../../../make/loads/mails/mail-shape.ts'
import { oddMails } from '../../../../../make/loads/mails/odd-mails.ts'
import { mailShapes, randomMails } from '../../../../../make/loads/mails/random-mail.ts'

/** The largest mail has 25. */
const megabytes = runs(25, 8)

/** What holds of every mail, whatever its bytes are. */
function expectBounded(mail: ParsedMail): void {
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

describe('readMail', () => {
  it.each(mailShapes)('reads $name', async ({ raw, says }) => {
    const mail = await readMail(raw())
    expect(mail).toMatchObject(says)
    expectBounded(mail)
  })

  it('reads damaged and mixed mails within its bounds', async () => {
    for (const raw of randomMails(runs(500, 200), 20_261_122)) expectBounded(await readMail(raw))
  }, 60_000)

  it('reads odd mails within its bounds', async () => {
    for (const raw of oddMails()) expectBounded(await readMail(raw))
  }, 60_000)

  it('reads the same mail the same way twice', async () => {
    for (const raw of randomMails(50, 7)) expect(await readMail(raw)).toEqual(await readMail(raw))
  })

  it.each([
    ['empty lines', {}, '\n'],
    ['words', { 'Content-Type': 'text/plain; format=flowed' }, 'word \r\n'],
    ['quoted printable', { 'Content-Transfer-Encoding': 'quoted-printable' }, '=3D'],
    ['broken base64', { 'Content-Type': 'image/png', 'Content-Transfer-Encoding': 'base64' }, 'Q=J@'],
    ['parts', { 'Content-Type': 'multipart/mixed; boundary=b' }, '--b\r\n\r\n'],
    ['dashes', { 'Content-Type': 'multipart/mixed; boundary=b' }, '--\n'],
    ['uuencoded lines', { 'Content-Transfer-Encoding': 'x-uuencode' }, 'begin 644 x\nM\n'],
    ['spaces', { 'Content-Transfer-Encoding': 'x-uuencode' }, ' '],
    ['headers', {}, 'X: y\r\n'],
  ])(
    'reads a large mail of %s with at most 0.4 s of CPU a megabyte',
    async (_, headers, piece) => {
      const began = process.cpuUsage()
      expectBounded(await readMail(mailOf(headers, piece.repeat((megabytes * 2 ** 20) / piece.length))))
      expect(process.cpuUsage(began).user / 1000).toBeLessThan(400 * megabytes)
    },
    60_000,
  )
})
