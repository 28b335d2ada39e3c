import { describe, expect, it } from 'vitest'
import { readMail } from '../../../../../../shared/messages/mailbox/mail/read-mail.ts'
import { runs } from '../../../../../make/depth.ts'
import { mailOf } from '../../../../../make/loads/mails/mail-shape.ts'
import { expectBounded } from '../../../../../make/oracles/bounded-mail.ts'

/** The largest mail has 25. */
const megabytes = runs(25, 8)

describe('readMail', () => {
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
    240_000,
  )
})
