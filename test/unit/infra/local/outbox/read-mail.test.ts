import { createTransport } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import { readMail } from '../../../../../infra/local/outbox/mail/read-mail.ts'

const read = (...lines: string[]) => readMail(Buffer.from(lines.join('\r\n'), 'latin1'))

/** What the library makes of a mail is what the service sends. */
async function composed(mail: object): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await transport.sendMail({ from: 'a@b.test', to: 'c@d.test', ...mail })
  return message as Buffer
}

describe('a mail', () => {
  it('of nodemailer is read back, with long subjects, both bodies, images and attachments', async () => {
    const image = Buffer.from('a picture')
    const subject = `Grüße, 日本 and a subject that is longer than any line of a header may be ${'ö'.repeat(60)}`
    const text = 'Grüße\nhttps://app.test/reset/abc=def?x=1\n\nBye'
    const source = await composed({
      subject,
      text,
      html: '<p>Grüße</p><img src="cid:logo@acme">',
      attachments: [
        { filename: 'Rechnung für Ada.pdf', content: Buffer.alloc(1234), contentType: 'application/pdf' },
        { filename: 'logo.png', content: image, contentType: 'image/png', cid: 'logo@acme' },
      ],
    })
    const mail = await readMail(source)
    expect(mail.subject).toBe(subject)
    expect(mail.text).toBe(text)
    expect(mail.html).toBe(`<p>Grüße</p><img src="data:image/png;base64,${image.toString('base64')}">`)
    expect(mail.attachments).toEqual(
      expect.arrayContaining([
        { name: 'Rechnung für Ada.pdf', type: 'application/pdf', bytes: 1234 },
        { name: 'logo.png', type: 'image/png', bytes: image.length },
      ]),
    )
  })

  it('in another charset is decoded', async () => {
    const mail = await read(
      'Subject: =?iso-8859-1?Q?Gr=FC=DFe_an?= =?utf-8?B?IERpY2g=?=',
      'Content-Type: text/plain; charset="windows-1252"',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Gr=FC=DFe =80 =',
      '5',
    )
    expect([mail.subject, mail.text]).toEqual(['Grüße an Dich', 'Grüße € 5'])
  })

  it('without a plain part has a rough text of its HTML', async () => {
    const mail = await read('Content-Type: text/html', '', '<style>p{}</style><p>Hello&nbsp;<b>Ada</b></p>')
    expect(mail.text).toBe('Hello Ada')
  })

  it('with a parameter in pieces has the whole name', async () => {
    const mail = await read(
      'Content-Type: application/pdf',
      "Content-Disposition: attachment; filename*0*=utf-8''Gr%C3%BC; filename*1*=%C3%9Fe.pdf",
      '',
      'x',
    )
    expect(mail.attachments).toEqual([{ name: 'Grüße.pdf', type: 'application/pdf', bytes: 1 }])
  })

  it.each([
    ['nothing', ''],
    ['no head', '\r\n\r\nbody'],
    ['an unknown charset', 'Content-Type: text/plain; charset=klingon\r\n\r\nHello'],
    ['a boundary that never comes', 'Content-Type: multipart/mixed; boundary=x\r\n\r\nHello'],
    ['a multipart within itself', 'Content-Type: multipart/mixed; boundary=x\r\n\r\n'.repeat(100)],
    ['a malformed encoded word', 'Subject: =?utf-8?B?%%%?= =?x?Q?=ZZ?=\r\n\r\nHello'],
  ])('with %s is read without an error', async (_, source) => {
    expect((await readMail(Buffer.from(source))).text).toEqual(expect.any(String))
  })
})
