import { base64, file, mailOf, multipart, part, partsOf, text, utf8 } from './mail-shape.ts'

/**
 * Mails that no shape describes: only that each becomes one message is known of them. Texts are Latin-1, a byte each.
 */
export function oddMails(): Buffer[] {
  return [...charsets, ...encodings, ...containers, ...headers, ...markup, ...names, ...fragments].map((make) => make())
}

type MakeMail = () => Buffer
const times = (word: string, count: number): string => word.repeat(count)
const typed = (type: string, body: string | Buffer, more: Record<string, string> = {}): MakeMail => {
  const head = mailOf({ 'Content-Type': type, ...more }, '')
  return () => Buffer.concat([head, typeof body === 'string' ? Buffer.from(body, 'latin1') : body])
}
const headed =
  (more: Record<string, string | readonly string[]>): MakeMail =>
  () =>
    mailOf(more)
const mixed =
  (...parts: string[]): MakeMail =>
  () =>
    mailOf(multipart('mixed'), partsOf('b', parts))
const word = (charset: string, encoding: string, content: string): string => `=?${charset}?${encoding}?${content}?=`

const charsets: readonly MakeMail[] = [
  'utf-7',
  'utf-16',
  'utf-16le',
  'utf-32',
  'iso-2022-jp',
  'gb18030',
  'big5',
  'koi8-r',
  'windows-874',
  'x-mac-cyrillic',
  'unknown-8bit',
  'x-user-defined',
  '"',
  '',
  '__proto__',
  'constructor',
  times('x', 10_000),
  '../../etc',
  'utf-8\0',
].map((charset) =>
  typed(`text/plain; charset=${charset}`, Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256))),
)

const encodings: readonly MakeMail[] = [
  'uuencode',
  'x-yenc',
  'base64; x=y',
  'BASE64',
  '8bit, base64',
  '"quoted-printable"',
  '',
  'constructor',
  'binary',
].map((encoding) =>
  typed('text/plain', '=C3=A9 begin 644 a\r\n#0V%T\r\n`\r\nend\0\xff=\r\n==', {
    'Content-Transfer-Encoding': encoding,
  }),
)

const containers: readonly MakeMail[] = [
  typed('message/partial; id="x"; number=1; total=2', 'Subject: part\r\n\r\nhalf'),
  typed('message/external-body; access-type=URL; URL="http://127.0.0.1/"', 'Content-Type: text/plain\r\n\r\n'),
  typed('message/rfc822', mailOf({}, 'inner').toString('latin1')),
  typed('message/rfc822', base64(mailOf({})), { 'Content-Transfer-Encoding': 'base64' }),
  typed('multipart/digest; boundary=b', partsOf('b', ['\r\nSubject: one\r\n\r\nOne', '\r\nSubject: two\r\n\r\nTwo'])),
  typed(
    'multipart/appledouble; boundary=b',
    partsOf('b', [file('x', 'resource', 'application/applefile'), text('data')]),
  ),
  typed('multipart/byteranges; boundary=b', partsOf('b', [text('0-10')])),
  typed(
    'multipart/form-data; boundary=b',
    partsOf('b', [part({ 'Content-Disposition': 'form-data; name=__proto__' }, 'x')]),
  ),
  typed('multipart/mixed; boundary="--"', '----\r\n\r\nHi\r\n------\r\n'),
  typed(`multipart/mixed; boundary="${times('b', 5000)}"`, partsOf(times('b', 5000), [text('Hi')])),
  typed('multipart/mixed; boundary*0=b; boundary*1=c', partsOf('bc', [text('Hi')])),
  typed("multipart/mixed; boundary*=utf-8''b%0D%0A", partsOf('b', [text('Hi')])),
  typed(
    'multipart/alternative; boundary=b',
    partsOf('b', [text('<b>one</b>', 'text/html'), text('<b>two</b>', 'text/html')]),
  ),
  typed('multipart/related; boundary=b; start="<gone>"', partsOf('b', [file('a.png', '\x89PNG', 'image/png')])),
  typed('multipart/mixed; boundary=b', times('--b\r\n', 50_000)),
  typed(
    'multipart/mixed; boundary=b',
    `--b\r\n${times('Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n', 3000)}`,
  ),
  typed('application/json', '{"__proto__":{"x":1},"constructor":{"name":"x"}}'),
  typed('image/png', base64('\x89PNG'), { 'Content-Transfer-Encoding': 'base64' }),
  typed('text/rtf', '{\\rtf1 Hi}'),
  typed('text/calendar; method=REQUEST', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR'),
  typed('application/pkcs7-mime; smime-type=enveloped-data', base64('\x30\x82')),
  mixed(text('Hi'), ...Array.from({ length: 250 }, (_, n) => file(`${n}.bin`, ''))),
  mixed(text('Hi'), ...Array.from({ length: 49 }, () => file('same.txt', 'same'))),
  mixed(text('Hi'), part({ 'Content-Type': 'application/zip', 'Content-Disposition': 'attachment' }, 'no name')),
]

const headers: readonly MakeMail[] = [
  headed({ Subject: word('utf-8', 'B', base64('a\r\nBcc: evil@example.com\r\n\r\n<script>')) }),
  headed({ Subject: word('utf-8', 'Q', '=00=E2=80=AEgnp.exe=E2=80=8B=EF=BF=BF') }),
  headed({ Subject: times(word('utf-8', 'Q', '=E2'), 20_000) }),
  headed({ Subject: word('utf-7', 'Q', '+AAAAPA-script+AD4-') }),
  headed({ Subject: `=?utf-8?B?${times('A', 500_000)}` }),
  headed({ Subject: utf8('\u202e\u200b\u200d\ufeff[#requests-1-aaaaaaaa] [#__proto__-1-aaaaaaaa]') }),
  headed({ Subject: times('[#requests-1-aaaaaaaa]', 5000) }),
  headed({ From: `${times('(', 50_000)}ada@example.com` }),
  headed({ From: `"${times('\\"', 50_000)} <ada@example.com>` }),
  headed({ From: `${times('a:', 20_000)}ada@example.com;` }),
  headed({ From: `${times('a', 70_000)}@example.com` }),
  headed({ From: utf8('Ädä <ädä@exämple.com>') }),
  headed({ From: 'ada@example.com\0@evil.test' }),
  headed({ From: '<>' }),
  headed({ From: `${word('utf-8', 'B', base64('"ceo@acme.test" <ceo@acme.test>'))} <evil@example.com>` }),
  headed({ From: '=?utf-8?q?a=0d=0ax=3a_y?= <ada@example.com>' }),
  headed({ 'Message-ID': `<${times('x', 300_000)}@example.com>` }),
  headed({ 'Message-ID': times('<', 100_000) }),
  headed({ References: times('<a@b> ', 30_000), 'In-Reply-To': '<__proto__>' }),
  headed({ References: times('<msg_00000000000000000000000000000000_1.1.requests.1.aaaa@x> ', 3000) }),
  ...[
    '',
    'yesterday',
    'Fri, 31 Feb 2026 25:61:61 +9999',
    '0',
    '-1',
    'Sat, 01 Jan 275760 00:00:00 +0000',
    times('9', 100_000),
  ].map((Date) => headed({ Date })),
  headed({ 'Content-Type': times('text/plain; ', 10_000) }),
  headed({ 'Content-Type': '/' }),
  headed({ 'Content-Disposition': `attachment; ${times("filename*0*=''x; ", 10_000)}` }),
  headed({
    ['__proto__']: 'x',
    Constructor: 'x',
    hasOwnProperty: 'x',
    toString: 'x',
    valueOf: 'x',
    length: '9',
  }),
  headed({ 'X-Empty-Name': 'a\r\n: b\r\n :c\r\n\t\r\n::' }),
  headed({ 'Return-Path': '<>', 'Auto-Submitted': 'auto-replied (vacation)\0' }),
  headed({ 'List-Id': times('<x>', 50_000), 'X-Failed-Recipients': times('a@b,', 50_000) }),
  () => Buffer.concat(['\xc4\xe4', '\xd0\xbf\xd1', '\x83\x5c', '\xff\xfe'].map((bytes) => mailOf({ Subject: bytes }))),
]

const markup: readonly MakeMail[] = [
  '<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a>',
  times('<div>', 100_000),
  times('<', 300_000),
  times('<a href="', 50_000),
  times('&amp', 200_000),
  times('<!--', 100_000),
  times('<b></i>', 50_000),
  '<plaintext><script>',
  '<svg><style><!--</style><img src=x onerror=alert(1)>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  `<p style="${times('a:b;', 100_000)}">x</p>`,
  `<p ${times('a ', 100_000)}>x</p>`,
  `<style>${times('@import "x";', 20_000)}</style>`,
  `<table>${times('<tr><td>', 20_000)}`,
  `<a href="${times('x', 500_000)}">x</a>`,
  times('<blockquote>quoted\n', 5000),
  `\0<\0s\0c\0r\0i\0p\0t\0>`,
  '<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>&c;',
].map((html) => typed('text/html; charset=utf-8', html))

const names: readonly MakeMail[] = [
  '../../../etc/passwd',
  '..\\..\\x',
  '/',
  '.',
  '..',
  'CON',
  'a\0.exe',
  '"a\\"b".pdf',
  'C:\\x\\y.txt',
  '%2e%2e%2f',
  '~',
  times('x', 1_000_000),
  utf8('\u202egnp.exe'),
  utf8('\u200b'),
  times(utf8('é'), 300),
  '<script>.html',
  'a\tb',
  ' ',
  '',
].map((name) => mixed(text('Hi'), file(name, 'x')))

const fragments: readonly MakeMail[] = [
  '\r\n',
  '\n',
  '\r',
  '.',
  '.\r\n',
  '\0',
  '\x1a',
  ' ',
  ':',
  ': \r\n',
  '\r\n\r\n\r\n',
  '--',
  '\xef\xbb\xbfSubject: bom\r\n\r\nx',
  '\xff\xfeS\0u\0b\0',
  'Subject',
  'Subject:',
  'Subject:\r\n',
  ' folded first\r\nSubject: x\r\n\r\n',
  'Subject: x\n\r\n\rbody',
  'HTTP/1.1 200 OK\r\n\r\n',
  '{"json":true}',
  '<html><body>no headers</body></html>',
  'From \r\nFrom \r\n',
  '* 1 FETCH (UID 1)\r\n',
  ')\r\n* OK\r\nA1 OK done\r\n',
  '{100}\r\n',
  times('\r\n', 100_000),
  times('a: b\r\n', 100_000),
  times('x', 2_000_000),
  times('\0', 1_000_000),
].map((raw) => () => Buffer.from(raw, 'latin1'))
