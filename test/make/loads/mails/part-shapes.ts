import { base64, file, mailOf, type MailShape, multipart, part, partsOf, shape, text, utf8 } from './mail-shape.ts'

const named = (name: string, parameter: string, expected: string): MailShape =>
  shape(
    name,
    multipart('mixed'),
    partsOf('b', [
      text('Hi'),
      part({ 'Content-Type': 'text/csv', 'Content-Disposition': `attachment; ${parameter}` }, 'a'),
    ]),
    { body: 'Hi', attachments: [{ name: expected, contentType: 'text/csv' }] },
  )
const nested = (depth: number): string => {
  const open = Array.from(
    { length: depth },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
  )
  return `Subject: Lamp\r\n${open.join('')}Content-Type: text/plain\r\n\r\ndeep\r\n`
}
const forwarded = part({ From: 'Bob <bob@example.com>', Subject: 'Inner', 'Content-Type': 'text/plain' }, 'inside')

/** Parts, files and their names. */
export const partShapes: readonly MailShape[] = [
  shape('a file', multipart('mixed'), partsOf('b', [text('Hi'), file('a.pdf', '%PDF-1.7', 'application/pdf')]), {
    attachments: [{ name: 'a.pdf', contentType: 'application/pdf', bytes: Buffer.from('%PDF-1.7'), contentId: null }],
  }),
  shape(
    'a file alone',
    {
      'Content-Type': 'application/pdf; name="a.pdf"',
      'Content-Transfer-Encoding': 'base64',
    },
    base64('%PDF'),
    { body: '', attachments: [{ name: 'a.pdf' }] },
  ),
  shape(
    'winmail.dat',
    multipart('mixed'),
    partsOf('b', [text('Hi'), file('winmail.dat', 'x', 'application/ms-tnef')]),
    {
      attachments: [{ name: 'winmail.dat', contentType: 'application/ms-tnef' }],
    },
  ),
  shape(
    'an inline image',
    multipart('related'),
    partsOf('b', [
      text('<img src="cid:logo@x">', 'text/html'),
      part({ 'Content-Type': 'image/png', 'Content-ID': '<logo@x>', 'Content-Disposition': 'inline' }, 'png'),
    ]),
    {
      html: '<img src="cid:logo@x" referrerpolicy="no-referrer" />',
      attachments: [{ name: 'attachment-1.png', contentId: 'logo@x' }],
    },
  ),
  shape(
    'an image in Outlook',
    multipart('related'),
    partsOf('b', [
      text('<p>x</p>', 'text/html'),
      part({ 'Content-Type': 'image/jpeg; name="image001.jpg"', 'Content-ID': '<image001.jpg@01D>' }, 'jpg'),
    ]),
    { attachments: [{ name: 'image001.jpg', contentId: 'image001.jpg@01D' }] },
  ),
  named('a plain name', 'filename=a.csv', 'a.csv'),
  named('a quoted name', 'filename="a b.csv"', 'a b.csv'),
  named('a name of RFC 2231', "filename*=UTF-8''Gr%C3%BC%C3%9Fe.csv", 'Grüße.csv'),
  named('a name in pieces', "filename*0*=UTF-8''Gr%C3%BC; filename*1*=%C3%9F; filename*2=e.csv", 'Grüße.csv'),
  named('a name in an encoded word', 'filename="=?UTF-8?B?R3LDvMOfZS5jc3Y=?="', 'Grüße.csv'),
  named('a file name in raw UTF-8', utf8('filename="Grüße.csv"'), 'Grüße.csv'),
  named('a name that climbs', 'filename="../../etc/passwd"', 'passwd'),
  named('a name that climbs on Windows', 'filename="..\\\\..\\\\boot.ini"', 'boot.ini'),
  named('an encoded name that climbs', "filename*=UTF-8''..%2F..%2Fpasswd", 'passwd'),
  named('a name of dots', 'filename=".."', 'attachment-1.csv'),
  named('a name that is hidden', 'filename=".bashrc"', 'bashrc'),
  named('a file name that turns around', utf8('filename="a\u202Efdp.exe"'), 'afdp.exe'),
  named('a name with a line end', "filename*=UTF-8''a%0D%0AX-Evil%3A1.csv", 'a X-Evil:1.csv'),
  named('a name with a null', "filename*=UTF-8''a%00.csv", 'a .csv'),
  named('a very long file name', `filename="${'n'.repeat(5000)}.csv"`, `${'n'.repeat(146)}.csv`),
  named('no name', 'filename=""', 'attachment-1.csv'),
  named('a name in ISO-2022-KR', 'filename="=?ISO-2022-KR?B?GyQpQw4+SDNnDw==?=.csv"', '안녕.csv'),
  ...['x-uue', 'uuencode', 'X-UUencode'].map((encoding) =>
    shape(
      `a file in ${encoding}`,
      multipart('mixed'),
      partsOf('b', [
        part(
          { 'Content-Type': 'application/pdf; name=a.pdf', 'Content-Transfer-Encoding': encoding },
          `begin 644 a.pdf\r\n${'M0V%T0V%T0V%T0V%T0V%T0V%T0V%T0V%T0V%T0V%T0V%T0V%T0V%T0V%T0V%T\r\n'.repeat(2000)}#0V%T\r\n\`\r\nend`,
        ),
      ]),
      { attachments: [{ name: 'a.pdf', bytes: Buffer.from('Cat'.repeat(30_001)) }], parseError: null },
    ),
  ),
  shape(
    'a uuencoded file that is none, and one with more in it',
    multipart('mixed'),
    partsOf('b', [
      part({ 'Content-Type': 'text/csv; name=a.csv', 'Content-Transfer-Encoding': 'x-uuencode' }, 'one;two\r\n3;4'),
      part(
        { 'Content-Type': 'text/csv; name=b.csv', 'Content-Transfer-Encoding': 'x-uuencode' },
        'Dear\r\nbegin 644 x\r\n#0V%T\r\nend\r\nBye',
      ),
    ]),
    {
      attachments: [{ bytes: Buffer.from('one;two\r\n3;4') }, { bytes: Buffer.from('Cat') }],
      parseError:
        'Not all of the mail could be read: a part says that it is uuencoded, and is not; a part has more than what is uuencoded in it.',
    },
  ),
  shape(
    'a type that is none',
    multipart('mixed'),
    partsOf('b', [part({ 'Content-Type': '<script>', 'Content-Disposition': 'attachment; filename=a' }, 'x')]),
    { attachments: [{ name: 'a', contentType: 'application/octet-stream' }] },
  ),
  shape(
    'a disposition that nobody knows',
    multipart('mixed'),
    partsOf('b', [part({ 'Content-Type': 'text/plain', 'Content-Disposition': 'form-data; name=a' }, 'x')]),
    { attachments: [{ contentType: 'text/plain' }] },
  ),
  shape(
    'broken base64 in a file',
    multipart('mixed'),
    partsOf('b', [
      part({ 'Content-Type': 'application/pdf; name=a.pdf', 'Content-Transfer-Encoding': 'base64' }, '%%%=A=B'),
    ]),
    { attachments: [{ name: 'a.pdf' }] },
  ),
  shape(
    '60 files',
    multipart('mixed'),
    partsOf(
      'b',
      Array.from({ length: 60 }, (_, n) => file(`${n}.bin`, 'x')),
    ),
    {
      attachments: Array.from({ length: 60 }, (_, n) => ({ name: `${n}.bin` })),
      truncated: [],
    },
  ),
  shape(
    '20,000 texts',
    multipart('mixed'),
    partsOf(
      'b',
      Array.from({ length: 20_000 }, () => text('hi')),
    ),
    {
      truncated: ['parts'],
      parseError: null,
    },
  ),
  shape(
    '20,000 files',
    multipart('mixed'),
    partsOf(
      'b',
      Array.from({ length: 20_000 }, () => file('a', 'x')),
    ),
    {
      truncated: ['parts'],
      parseError: null,
    },
  ),
  shape('ten nested parts', () => Buffer.from(nested(10)), undefined, { body: 'deep', truncated: [] }),
  shape('a thousand nested parts', () => Buffer.from(nested(1000)), undefined, {
    subject: 'Lamp',
    truncated: ['parts'],
  }),
  shape('20,000 nested parts', () => Buffer.from(nested(20_000)), undefined, {
    subject: 'Lamp',
    parseError: 'The mail could not be parsed: its parts are nested too deeply.',
  }),
  shape('a forwarded mail', multipart('mixed'), partsOf('b', [text('See below'), text(forwarded, 'message/rfc822')]), {
    subject: 'Lamp',
    from: { email: 'ada@example.com' },
    messageId: '<one@example.com>',
    attachments: [{ name: 'attachment-1.eml', contentType: 'message/rfc822' }],
  }),
  shape(
    'a forwarded mail as a file',
    multipart('mixed'),
    partsOf('b', [
      part({ 'Content-Type': 'message/rfc822', 'Content-Disposition': 'attachment; filename="inner.eml"' }, forwarded),
    ]),
    { attachments: [{ name: 'inner.eml', contentType: 'message/rfc822' }] },
  ),
  shape(
    '5,000 forwarded mails',
    multipart('digest'),
    partsOf(
      'b',
      Array.from({ length: 5000 }, () => text(forwarded, 'message/rfc822')),
    ),
    {
      truncated: ['parts'],
    },
  ),
  shape(
    '5,000 mails in each other',
    () => mailOf({ 'Content-Type': 'message/rfc822' }, 'Content-Type: message/rfc822\r\n\r\n'.repeat(5000)),
    undefined,
    { subject: 'Lamp' },
  ),
  shape(
    'a signed mail',
    { 'Content-Type': 'multipart/signed; protocol="application/pkcs7-signature"; boundary="b"' },
    partsOf('b', [text('signed'), file('smime.p7s', 'x', 'application/pkcs7-signature')]),
    { body: 'signed', attachments: [{ name: 'smime.p7s' }] },
  ),
  shape(
    'a mail encrypted by S/MIME',
    { 'Content-Type': 'application/pkcs7-mime; smime-type=enveloped-data', 'Content-Transfer-Encoding': 'base64' },
    base64('x'),
    {
      body: '',
      attachments: [{ name: 'attachment-1.p7m', contentType: 'application/pkcs7-mime' }],
    },
  ),
  shape(
    'a mail encrypted by PGP',
    { 'Content-Type': 'multipart/encrypted; protocol="application/pgp-encrypted"; boundary="b"' },
    partsOf('b', [
      part({ 'Content-Type': 'application/pgp-encrypted' }, 'Version: 1'),
      part({ 'Content-Type': 'application/octet-stream; name="encrypted.asc"' }, '-----BEGIN PGP MESSAGE-----'),
    ]),
    {
      body: 'This mail is encrypted: it cannot be read here. Ask its sender to send it without encryption.',
      attachments: [{}, { name: 'encrypted.asc' }],
    },
  ),
  shape(
    'an invitation',
    multipart('mixed'),
    partsOf('b', [text('Come'), file('invite.ics', 'BEGIN:VCALENDAR', 'text/calendar')]),
    {
      attachments: [{ name: 'invite.ics', contentType: 'text/calendar' }],
    },
  ),
  shape('a multipart without boundary', { 'Content-Type': 'multipart/mixed' }, 'Hello', { subject: 'Lamp' }),
  shape('a multipart that does not end', multipart('mixed'), `--b\r\n${text('Hi')}`, { body: 'Hi' }),
  shape('a multipart that never begins', multipart('mixed'), 'Hello', { subject: 'Lamp', body: '' }),
  shape('an empty multipart', multipart('mixed'), '--b--\r\n', { body: '' }),
  shape(
    'a boundary of 100,000 characters',
    multipart('mixed', 'b'.repeat(100_000)),
    `--${'b'.repeat(100_000)}\r\n\r\nx`,
    { subject: 'Lamp' },
  ),
  shape('a boundary that looks like another', multipart('mixed', 'b'), partsOf('b', [text('--bb\r\nHi')]), {
    body: '--bb\nHi',
  }),
  shape('two types', () => mailOf({ 'Content-Type': ['text/plain', 'text/html'] }, '<b>x</b>'), undefined, {
    body: '<b>x</b>',
  }),
  shape('100,000 parameters of a type', { 'Content-Type': `text/plain${'; a=b'.repeat(100_000)}` }, undefined, {
    body: 'Hello',
  }),
]
