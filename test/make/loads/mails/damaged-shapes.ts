import { base64, file, type MailShape, multipart, part, partsOf, shape, text } from './mail-shape.ts'

const isNone = (why: string): string => `Not all of the mail could be read: ${why}.`
const noParts = isNone('a multipart has no parts, because its boundary is missing or does not occur')
const otherLines = isNone('a part has lines in its head that are no headers')
const otherThanBase64 = isNone('a part says that it is base64, and is not')
const nothing = isNone('nothing in it is a text, HTML or a file')
const raw = (name: string, mail: string, says: MailShape['says']): MailShape =>
  shape(name, () => Buffer.from(mail, 'latin1'), undefined, says)
const encoded = (name: string, encoding: string, body: string, says: MailShape['says']): MailShape =>
  shape(name, { 'Content-Transfer-Encoding': encoding }, body, says)

/** The same with line feeds alone. */
const both = (name: string, head: Parameters<typeof shape>[1], body: string, says: MailShape['says']): MailShape[] => [
  shape(name, head, body, says),
  shape(`${name}, with line feeds`, head, body.replaceAll('\r\n', '\n'), says),
]

const inner = [
  '--o\r\nContent-Type: multipart/alternative; boundary=i\r\n\r',
  `--i\r\n${text('plain')}\r`,
  `--i\r\n${text('<p>rich</p>', 'text/html')}\r`,
]

/** Mails whose parts are not where their headers say, and mails that a parser reads in part. Nothing is lost in silence. */
export const damagedShapes: readonly MailShape[] = [
  ...both(
    'white space behind each delimiter (RFC 2046)',
    multipart('mixed'),
    `--b \t\r\n${text('Hi')}\r\n--b     \r\n${file('a.txt', 'AAA')}\r\n--b-- \t \r\nepilogue`,
    { body: 'Hi', attachments: [{ name: 'a.txt', bytes: Buffer.from('AAA') }], parseError: null },
  ),
  shape('white space in the parameter', multipart('mixed', 'b '), partsOf('b', [text('Hi')]), {
    body: 'Hi',
    parseError: null,
  }),
  shape(
    'lines that only begin like a delimiter',
    multipart('mixed'),
    `--b\r\n${text('--b-\r\n--b -\r\n--b--c\r\n --b\r\n--bb\r\nend')}\r\n--b--\r\n`,
    { body: '--b-\n--b -\n--b--c\n --b\n--bb\nend', parseError: null },
  ),
  ...both(
    'an inner multipart without its end, and a file behind it',
    multipart('mixed', 'o'),
    `${inner.join('\n')}\n--o \r\n${file('a.txt', 'AAA')}\r\n--o--\r\n`,
    { body: 'plain', html: '<p>rich</p>', attachments: [{ name: 'a.txt' }], parseError: null },
  ),
  shape('an inner multipart that ends with the outer one', multipart('mixed', 'o'), `${inner.join('\n')}\n--o--\r\n`, {
    body: 'plain',
    html: '<p>rich</p>',
    parseError: null,
  }),
  shape(
    'a mail that was cut in a file',
    multipart('mixed'),
    `--b\r\n${text('Hi')}\r\n--b\r\n${file('a.bin', 'x'.repeat(200)).slice(0, 250)}`,
    { body: 'Hi', attachments: [{ name: 'a.bin' }], parseError: null },
  ),

  shape('a multipart without a boundary', { 'Content-Type': 'multipart/mixed' }, partsOf('b', [text('Hi')]), {
    body: '',
    attachments: [],
    parseError: noParts,
  }),
  shape('a boundary that never occurs', multipart('mixed', 'c'), partsOf('b', [text('Hi')]), { parseError: noParts }),
  shape(
    'a part whose boundary never occurs',
    multipart('mixed'),
    partsOf('b', [text('Hi'), text('lost', 'multipart/alternative; boundary=c')]),
    { body: 'Hi', parseError: noParts },
  ),
  shape('a multipart of nothing', multipart('mixed'), '\r\n', { body: '', parseError: null }),
  raw('a text without headers', 'Hello Bob,\r\n\r\nmy lamp is broken\r\n', {
    subject: null,
    body: 'Hello Bob,\n\nmy lamp is broken',
    parseError: isNone('it has no headers'),
  }),
  raw('one line', 'Hello', { body: 'Hello', parseError: isNone('it has no headers') }),
  raw('a text right behind the headers', 'Subject: Lamp\r\nmy lamp is broken\r\n', {
    subject: 'Lamp',
    parseError: isNone('lines among its headers are none'),
  }),
  raw('a mail in an mbox', 'From ada@example.com Fri Nov 20 08:00:00 2026\r\nSubject: Lamp\r\n\r\nHello', {
    subject: 'Lamp',
    body: 'Hello',
    parseError: null,
  }),
  ...['\r\n--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--', '\r\n--b--', '\r\n', ''].map((rest) =>
    shape(
      `a part whose text is where its head should be, before ${JSON.stringify(rest)}`,
      multipart('mixed'),
      `--b\r\n${text('one')}\r\n--b\r\nmy lamp is broken${rest}`,
      { parseError: otherLines },
    ),
  ),

  encoded('a text that is no base64', 'base64', 'Hello, my lamp is broken', { parseError: otherThanBase64 }),
  encoded('letters that are no base64', 'base64', 'Gr\xfc\xdfe', { parseError: otherThanBase64 }),
  encoded('a footer behind base64', 'base64', `${base64('Hello')}\r\n-- \r\nTo unsubscribe, write to us\r\n`, {
    parseError: otherThanBase64,
  }),
  encoded('base64 with blanks at the ends of its lines', 'base64', '  SGVs \r\n\tbG8= ', {
    body: 'Hello',
    parseError: null,
  }),
  encoded('base64 that ends at once', 'base64', 'Q', { body: '', parseError: nothing }),
  shape('nulls alone', {}, '\0\0\0', { body: '', parseError: nothing }),
  shape('HTML of which nothing is safe', { 'Content-Type': 'text/html' }, '<svg><text>Hello</text></svg>', {
    body: '',
    parseError: nothing,
  }),
  shape('HTML without a text', { 'Content-Type': 'text/html' }, '<html><style>p{}</style><body></body></html>', {
    body: '',
    parseError: null,
  }),
  shape('a charset that nobody knows', { 'Content-Type': 'text/plain; charset=x-klingon' }, 'Gr\xfc\xdfe', {
    body: 'Grüße',
    parseError: isNone('a text is in a charset that is not known'),
  }),
  shape('a text that names no charset', { 'Content-Type': 'text/plain' }, 'Gr\xfc\xdfe', {
    body: 'Grüße',
    parseError: null,
  }),
  shape(
    'a mail in a mail, whose text is not where it says',
    multipart('mixed'),
    partsOf('b', [
      part(
        { 'Content-Type': 'message/rfc822', 'Content-Disposition': 'inline' },
        'Content-Type: multipart/mixed; boundary=n\r\n\r\nlost',
      ),
    ]),
    { parseError: noParts },
  ),
]
