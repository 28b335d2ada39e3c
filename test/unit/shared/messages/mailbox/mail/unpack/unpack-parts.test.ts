import { describe, expect, it } from 'vitest'
import { readMail } from '../../../../../../../shared/messages/mailbox/mail/read-mail.ts'
import { mailOf } from '../../../../../../make/loads/mails/mail-shape.ts'
import { tnefOf, tnefProperty } from '../../../../../../make/loads/mails/tnef.ts'

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll(/.{1,76}/g, '$&\r\n')
const part = (head: string, content: string): string => `--b\r\n${head}\r\n\r\n${content}\r\n`
const mixed = (...parts: string[]): Buffer =>
  mailOf({ 'Content-Type': 'multipart/mixed; boundary=b' }, `${parts.join('')}--b--\r\n`)
const winmail = (bytes: Buffer): string =>
  part('Content-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64', base64(bytes))
const blank = part('Content-Type: text/plain', '')

describe('what Outlook packs (TNEF)', () => {
  const lift = Buffer.from('serial 4711')

  it('its text and its files are those of the mail', async () => {
    const packed = tnefOf({ body: 'The lift is stuck at level 2.', files: [{ name: 'lift.txt', bytes: lift }] })
    expect(await readMail(mixed(blank, winmail(packed)))).toMatchObject({
      body: 'The lift is stuck at level 2.',
      attachments: [{ name: 'lift.txt', bytes: lift }],
      parseError: null,
    })
  })

  it('HTML among its properties, with names of files in Unicode', async () => {
    const packed = tnefOf({
      properties: [
        tnefProperty(0x1013, Buffer.from('<p>Die Tür klemmt</p>')),
        tnefProperty(0x3fde, 65001),
        tnefProperty(0x8005, 7),
      ],
      files: [{ name: 'x', bytes: lift, properties: [tnefProperty(0x3707, 'Größe.txt')] }],
    })
    expect(await readMail(mixed(blank, winmail(packed)))).toMatchObject({
      body: 'Die Tür klemmt',
      html: '<p>Die Tür klemmt</p>',
      attachments: [{ name: 'Größe.txt' }],
    })
  })

  it('RTF that holds a text', async () => {
    const rtf = Buffer.from(
      String.raw`{\rtf1\ansi\ansicpg1252\fromtext{\fonttbl{\f0 Arial;}}\f0 The gate\'20is open.\par}`,
    )
    const head = Buffer.alloc(16)
    head.writeUInt32LE(rtf.length + 12, 0)
    head.writeUInt32LE(rtf.length, 4)
    head.write('MELA', 8)
    const packed = tnefOf({ properties: [tnefProperty(0x1009, Buffer.concat([head, rtf]))] })
    expect(await readMail(mixed(blank, winmail(packed)))).toMatchObject({ body: 'The gate is open.', attachments: [] })
  })

  it('a text of the mail that it repeats is there once', async () => {
    const text = part('Content-Type: text/plain', 'The lift is stuck.')
    const { body } = await readMail(mixed(text, winmail(tnefOf({ body: 'The lift is stuck.' }))))
    expect(body).toBe('The lift is stuck.')
  })

  it.each([
    ['broken', Buffer.from('no tnef at all')],
    ['cut off', tnefOf({ body: 'x'.repeat(100) }).subarray(0, 60)],
    ['RTF that is none', tnefOf({ properties: [tnefProperty(0x1009, Buffer.alloc(40, 1))] })],
  ])('stays the file that it is, and the agent is told: %s', async (_, bytes) => {
    const { attachments, parseError } = await readMail(mixed(blank, winmail(bytes)))
    expect(attachments).toMatchObject([{ name: 'winmail.dat' }])
    expect(parseError).toMatch(/TNEF/)
  })

  it('never throws, whatever is in it', async () => {
    const packed = tnefOf({ body: 'abc', properties: [tnefProperty(0x1013, Buffer.from('<p>x</p>'))] })
    for (let at = 6; at < packed.length; at += 1) {
      const broken = Buffer.from(packed)
      broken[at] = 0xff
      expect(await readMail(mixed(blank, winmail(broken)))).toBeDefined()
    }
  })
})

/** Signed with a throw-away key: `The door code of hall 2 does not work any more.` */
const opaque = `MIIGTAYJKoZIhvcNAQcCoIIGPTCCBjkCAQExDTALBglghkgBZQMEAgEwawYJKoZI
hvcNAQcBoF4EXENvbnRlbnQtVHlwZTogdGV4dC9wbGFpbjsgY2hhcnNldD11dGYt
OA0KDQpUaGUgZG9vciBjb2RlIG9mIGhhbGwgMiBkb2VzIG5vdCB3b3JrIGFueSBt
b3JlLg0KoIIDUzCCA08wggI3oAMCAQICFExitMPBUx5c7FW1BYKTsUXau/W3MA0G
CSqGSIb3DQEBCwUAMDcxEzARBgNVBAMMCkNvcmEgRmllbGQxIDAeBgkqhkiG9w0B
CQEWEWNvcmFAY3VzdC5leGFtcGxlMB4XDTI2MTEyODA0MjAyOVoXDTM2MTEyNTA0
MjAyOVowNzETMBEGA1UEAwwKQ29yYSBGaWVsZDEgMB4GCSqGSIb3DQEJARYRY29y
YUBjdXN0LmV4YW1wbGUwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCx
DrB93No+J+moEatOONQ9+vKW7uB7MxpuNofwt32mQCTRmBZHEi1hQwsLupvDUbTS
Wn2mNX1NKgllC+dBeG2nBtmiu7qaFPFrX44edr5AN47TCk2kDamD2vmoX3nSuhOG
X3PhKg5zvVcxsZ1XE/UPcck+F5V5a/vSWISzY/DkqO27J6uB3jurawBupg+DxmzO
EbGSWsDDSuTaztTFd6CRmkPy1ekUJgo+fTIXGKqF5IkorBy3MiEi/EorfCgPHo2X
sxCwA+YpmxyXNSs0IZoHHGr3vMZHX0qbDUice7MjEGT2MzdHJs/l4y+KqFR0jp/8
uWqcMGsZvDPZFpSH5RXRAgMBAAGjUzBRMB0GA1UdDgQWBBTB3Hwd+zroVnIXsK7K
YzZn/P9u1zAfBgNVHSMEGDAWgBTB3Hwd+zroVnIXsK7KYzZn/P9u1zAPBgNVHRMB
Af8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQBXBv54ZRJqtmSikPr7kjy2/vdU
TtGAahGD+t9YuHwWMnOqk/ep/2frdpYmV1xR3PFpJnVBcG/2XOWhdNCZWIRCiMRT
hdG8b3yzKGXh+roVb9e4C6aCT41jnQzEiA9DwgbNhNhH1WPnoY4ZyIKunCqyk1W4
8dV0pJsG0tgMyhouVmoOdsRcYAqWEJdSn+CfnUNizuQ4qd2eiSeZ/G1vuNOuCIW7
yYsGrmuE2zuEeI6q95uLSkfkNJjhk9O61W/FNkYM7+qFs+zO/zKU3bgfqlHfiFM5
eZxeCmvZWaK2QfsanEjMvRIO+c88v3SgWBm8Ht6sjzGRrB4Kzv5KBK3cAsKtMYIC
XzCCAlsCAQEwTzA3MRMwEQYDVQQDDApDb3JhIEZpZWxkMSAwHgYJKoZIhvcNAQkB
FhFjb3JhQGN1c3QuZXhhbXBsZQIUTGK0w8FTHlzsVbUFgpOxRdq79bcwCwYJYIZI
AWUDBAIBoIHkMBgGCSqGSIb3DQEJAzELBgkqhkiG9w0BBwEwHAYJKoZIhvcNAQkF
MQ8XDTI2MTEyODA0MjAyOVowLwYJKoZIhvcNAQkEMSIEIM3PkLa/D/ZGwHJZ9MSr
3psasY8Iakmc/QgGJEcJ3yTmMHkGCSqGSIb3DQEJDzFsMGowCwYJYIZIAWUDBAEq
MAsGCWCGSAFlAwQBFjALBglghkgBZQMEAQIwCgYIKoZIhvcNAwcwDgYIKoZIhvcN
AwICAgCAMA0GCCqGSIb3DQMCAgFAMAcGBSsOAwIHMA0GCCqGSIb3DQMCAgEoMA0G
CSqGSIb3DQEBAQUABIIBAJiDv3f5H650+tCLKEIG9zQrLbzFWydtQ9nL6vAiSHXz
aoxTvgr7pofrzOaApykpQdHPBpIXddmxInJkIWu5ul7dL9jm4MH4oirzr5mOVjS8
FloEolyOwyOb++xdauKhLXvJG5z8gs7iLRk6nU3XQX/V3/oUZOELNcyw0TVzfu91
t4p41st+RsmAzi0Cf5NxSoIZdgKsW1En++Q7lobKY8rETRnHfqN80BiysGi6IqkC
rkV4+voFD7X0Hl3SJBZZqBXuoJlh1I0IcQo65+ZSyzKoIzRtZku/fe1MIyY0r/UW
seKDS7PFUqMMqHkibiu03CzmEPYrG5HXWQ6RBHf23Ms=`

describe('what is signed in one piece (S/MIME)', () => {
  it.each(['application/pkcs7-mime; smime-type=signed-data', 'application/x-pkcs7-mime', 'application/octet-stream'])(
    'is the text of the mail, and nobody has verified it: %s',
    async (type) => {
      const raw = mailOf(
        {
          'Content-Type': `${type}; name="smime.p7m"`,
          'Content-Transfer-Encoding': 'base64',
          'Content-Disposition': 'attachment; filename="smime.p7m"',
        },
        opaque,
      )
      expect(await readMail(raw)).toMatchObject({
        body: 'The door code of hall 2 does not work any more.',
        protection: 'signed',
        attachments: [{ name: 'smime.p7m' }],
        parseError: null,
      })
    },
  )

  it('what is encrypted says so', async () => {
    // ContentInfo { envelopedData, [0] {} }
    const enveloped = Buffer.from('300f06092a864886f70d010703a0023000', 'hex')
    const raw = mailOf(
      { 'Content-Type': 'application/pkcs7-mime; name=smime.p7m', 'Content-Transfer-Encoding': 'base64' },
      base64(enveloped),
    )
    const mail = await readMail(raw)
    expect(mail.body).toMatch(/encrypted/)
    expect(mail).toMatchObject({ protection: 'encrypted', attachments: [{ name: 'smime.p7m' }] })
  })

  it('what is broken stays a file, and the agent is told', async () => {
    const raw = mailOf({ 'Content-Type': 'application/pkcs7-mime; name=smime.p7m' }, 'not a signature')
    const { attachments, parseError } = await readMail(raw)
    expect(attachments).toHaveLength(1)
    expect(parseError).toMatch(/S\/MIME/)
  })
})

describe('a meeting', () => {
  const calendar = (lines: string, head = 'METHOD:REQUEST'): string =>
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${head}\r\nBEGIN:VEVENT\r\nUID:1@x\r\n${lines}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
  const read = (content: string) =>
    readMail(mailOf({ 'Content-Type': 'text/calendar; charset=utf-8; method=REQUEST' }, content), 'Europe/Berlin')

  it('says what, when in the time zone of the company, and where', async () => {
    const mail = await read(
      calendar(
        'DTSTART:20261201T090000Z\r\nDTEND:20261201T100000Z\r\nSUMMARY:Router swap\r\nLOCATION:Room 7\r\nDESCRIPTION:Bring the ladder',
      ),
    )
    expect(mail.body).toBe(
      'Invitation: Router swap\nWhen: Tuesday, 1 December 2026, 10:00 to 11:00 (Europe/Berlin)\nWhere: Room 7\n\nBring the ladder',
    )
    expect(mail).toMatchObject({
      attachments: [{ name: 'invite.ics', contentType: 'text/calendar' }],
      invitation: { method: 'request', summary: 'Router swap', starts: '2026-12-01T09:00:00.000Z', location: 'Room 7' },
    })
  })

  it.each([
    [
      'a zone by its name',
      'DTSTART;TZID=America/New_York:20260701T090000\r\nDURATION:PT1H',
      'Wednesday, 1 July 2026, 15:00 to 16:00 (Europe/Berlin)',
    ],
    ['a day', 'DTSTART;VALUE=DATE:20260701', 'Wednesday, 1 July 2026'],
    [
      'several days',
      'DTSTART;VALUE=DATE:20260701\r\nDTEND;VALUE=DATE:20260704',
      'Wednesday, 1 July 2026 to Friday, 3 July 2026',
    ],
    ['no zone', 'DTSTART:20260701T090000', 'Wednesday, 1 July 2026, 09:00'],
    ['a zone that nobody knows', 'DTSTART;TZID=Mars:20260701T090000', 'Wednesday, 1 July 2026, 09:00'],
  ])('with %s', async (_, lines, when) => {
    expect((await read(calendar(`SUMMARY:Swap\r\n${lines}`))).invitation).toMatchObject({ when })
  })

  it('that is cancelled says so', async () => {
    const { body } = await read(calendar('SUMMARY:Swap\r\nDTSTART:20260701T090000Z', 'METHOD:CANCEL'))
    expect(body).toMatch(/^Cancelled: Swap/)
  })

  it('that cannot be read stays a file', async () => {
    const mail = await read('BEGIN:VCALENDAR\r\nnonsense')
    expect(mail).toMatchObject({ invitation: null, attachments: [{ name: 'invite.ics' }] })
  })
})

describe('an attached mail', () => {
  const inner = (text: string, more = ''): string =>
    `From: Cora Field <cora@cust.example>\r\nSubject: Dock light\r\nMIME-Version: 1.0\r\n${more || 'Content-Type: text/plain'}\r\n\r\n${text}`
  const attach = (content: string): string =>
    part('Content-Type: message/rfc822\r\nContent-Disposition: attachment; filename=mail.eml', content)

  it('its text and its files are beside those of the mail', async () => {
    const withFile = inner(
      `--c\r\nContent-Type: text/plain\r\n\r\nThe light is off.\r\n--c\r\nContent-Type: image/png; name=light.png\r\nContent-Disposition: attachment\r\n\r\nx\r\n--c--`,
      'Content-Type: multipart/mixed; boundary=c',
    )
    const mail = await readMail(mixed(part('Content-Type: text/plain', 'See this.'), attach(withFile)))
    expect(mail.body).toMatch(/^See this\.\n+Attached mail: Dock light \(Cora Field\)\nThe light is off\.$/)
    expect(mail.attachments.map(({ name }) => name)).toEqual(['mail.eml', 'light.png'])
  })

  it('in an attached mail, and so on, is read to a depth', async () => {
    let content = inner('deepest')
    for (let depth = 0; depth < 8; depth += 1)
      content = inner(
        `--c${depth}\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment\r\n\r\n${content}\r\n--c${depth}--`,
        `Content-Type: multipart/mixed; boundary=c${depth}`,
      )
    const { parseError, attachments } = await readMail(mixed(attach(content)))
    expect(parseError).toBeNull()
    expect(attachments.length).toBeLessThan(6)
  })
})
