import { mailOf, type MailShape, shape, utf8 } from './mail-shape.ts'

const subject = (name: string, value: string, expected: string | null): MailShape =>
  shape(name, { Subject: value }, undefined, { subject: expected, parseError: null, body: 'Hello' })
const from = (name: string, value: string, expected: MailShape['says']['from']): MailShape =>
  shape(name, { From: value }, undefined, { from: expected, parseError: null, body: 'Hello' })
const date = (name: string, value: string, expected: string | null): MailShape =>
  shape(name, { Date: value }, undefined, { date: expected, subject: 'Lamp' })

const many = Array.from({ length: 5000 }, (_, n) => `"N ${n}" <n${n}@example.com>`)

/** Headers as people, programs and attackers write them. */
export const headerShapes: readonly MailShape[] = [
  subject('a subject in UTF-8 base64', '=?UTF-8?B?R3LDvMOfZQ==?=', 'Grüße'),
  subject('a subject in quoted printable', '=?iso-8859-1?Q?Gr=FC=DFe_an_alle?=', 'Grüße an alle'),
  subject('a subject in two words, cut inside a character', '=?UTF-8?B?R3LD?= =?UTF-8?B?vMOfZQ==?=', 'Grüße'),
  subject('a subject in raw UTF-8', utf8('Grüße 🎉'), 'Grüße 🎉'),
  subject('a subject in raw Latin-1', 'Gr\xfc\xdfe', 'Grüße'),
  subject('a subject in Japanese', '=?ISO-2022-JP?B?GyRCJEckORsoQg==?=', 'です'),
  subject('a subject with an unknown charset', '=?x-unknown?Q?Lamp?=', 'Lamp'),
  subject('a folded subject', 'one\r\n two\r\n\tthree', 'one two\tthree'.replace('\t', ' ')),
  subject(
    'a subject with an encoded line end',
    '=?UTF-8?Q?Lamp=0D=0ABcc:_eve@example.com?=',
    'Lamp Bcc: eve@example.com',
  ),
  subject('a subject with an encoded null', '=?UTF-8?Q?La=00mp?=', 'La mp'),
  subject('a subject with direction marks', utf8('Rechnung \u202Efdp.exe'), 'Rechnung fdp.exe'),
  subject('a subject of a megabyte', 'x'.repeat(900_000), 'x'.repeat(998)),
  subject('a broken encoded word', '=?UTF-8?B?R3LDvMOf', '=?UTF-8?B?R3LDvMOf'),
  subject('no subject', '', null),
  subject('a subject of spaces', '   ', null),
  shape('two subjects', { Subject: ['First', 'Second'] }, undefined, { subject: 'First' }),
  shape('an encoded subject of 60,000 words', { Subject: '=?utf-8?Q?a?= '.repeat(60_000) }, undefined, {
    truncated: ['headers'],
  }),

  from('a plain address', 'ada@example.com', { name: null, email: 'ada@example.com' }),
  from('an address in capitals', 'Ada <ADA@Example.COM>', { name: 'Ada', email: 'ada@example.com' }),
  from('a quoted name with a comma', '"Lovelace, Ada" <ada@example.com>', { name: 'Lovelace, Ada' }),
  from('an encoded name', '=?UTF-8?Q?J=C3=B6rg?= <joerg@example.com>', { name: 'Jörg', email: 'joerg@example.com' }),
  from('a name in raw UTF-8', utf8('Jörg <joerg@example.com>'), { name: 'Jörg' }),
  from('an encoded name that is an address', '=?UTF-8?B?Ym9zc0BhY21lLnRlc3Q=?= <eve@example.com>', {
    name: 'boss@acme.test',
    email: 'eve@example.com',
  }),
  from('an encoded address, which is no address', '=?UTF-8?Q?=3Cada=40example.com=3E?=', {}),
  from('a name that ends its line', '=?UTF-8?Q?Ada=0AX-Evil=3A_1?= <ada@example.com>', { name: 'Ada X-Evil: 1' }),
  from('a name that turns around', utf8('\u202Eada <ada@example.com>'), { name: 'ada', email: 'ada@example.com' }),
  from('a comment for a name', 'ada@example.com (Ada L.)', { name: 'Ada L.', email: 'ada@example.com' }),
  from('an address in UTF-8', utf8('用户@例え.jp'), { email: '用户@xn--r8jz45g.jp' }),
  from('an address in punycode', 'a@xn--bcher-kva.example', { email: 'a@xn--bcher-kva.example' }),
  from('an address with the dot of the root', 'Ada <ada@example.com.>', { email: 'ada@example.com' }),
  from('an address with a source route', 'Ada <@a.example,@b.example:ada@example.com>', {
    name: 'Ada',
    email: 'ada@example.com',
  }),
  from('a source route alone', '<@a.example:ada@example.com>', { name: null, email: 'ada@example.com' }),
  from('source routes without end', '<@'.repeat(50_000), {}),
  from('a name in ISO-2022-KR', '=?ISO-2022-KR?B?GyQpQw4+SDNnDw==?= <ada@example.com>', { name: '안녕' }),
  from('a name in HZ-GB-2312', '=?HZ-GB-2312?Q?~{Dc:C~}=20x?= <ada@example.com>', { name: '你好 x' }),
  from('a group', 'Team: ada@example.com, bob@example.com;', { email: 'ada@example.com' }),
  from('an empty group', 'undisclosed-recipients:;', {}),
  from('no address', 'Ada Lovelace', { name: 'Ada Lovelace', email: null }),
  from('an address with spaces', 'Ada <a d a@example.com>', {}),
  from('two at signs', 'Ada <ada@evil@example.com>', {}),
  from('a quoted local part', '"ada lovelace"@example.com', {}),
  from('a very long name', `${'n'.repeat(100_000)} <ada@example.com>`, {}),
  from('no end of brackets', `Ada <ada@example.com${'<'.repeat(10_000)}`, {}),
  from('a thousand parentheses', `${'('.repeat(100_000)}ada@example.com`, {}),
  from('groups in groups', 'a:'.repeat(50_000), {}),
  shape('no From, but a Sender', { From: '', Sender: 'bob@example.com' }, undefined, {
    from: { email: 'bob@example.com' },
  }),
  shape('no From at all', { From: '' }, undefined, { from: null, subject: 'Lamp' }),
  shape('two From headers', { From: ['ada@example.com', 'eve@example.com'] }, undefined, {
    from: { email: 'ada@example.com' },
  }),
  shape('several To headers', { To: ['a@x.test', 'b@x.test, c@x.test'] }, undefined, {
    to: [{ email: 'a@x.test' }, { email: 'b@x.test' }, { email: 'c@x.test' }],
  }),
  shape('thousands of recipients', { To: many.join(',\r\n ') }, undefined, { subject: 'Lamp', body: 'Hello' }),
  shape('thousands of copies', { Cc: many.join(', ') }, undefined, { subject: 'Lamp', body: 'Hello' }),
  shape('a Reply-To', { 'Reply-To': 'Desk <answers@acme.test>' }, undefined, {
    replyTo: [{ name: 'Desk', email: 'answers@acme.test' }],
  }),

  date('a date with zone', 'Fri, 20 Nov 2026 09:00:00 +0100', '2026-11-20T08:00:00.000Z'),
  date('a date with a comment', 'Fri, 20 Nov 2026 08:00:00 +0000 (UTC)', '2026-11-20T08:00:00.000Z'),
  date('a date without day and seconds', '20 Nov 2026 08:00 GMT', '2026-11-20T08:00:00.000Z'),
  date('a date with an American zone', 'Fri, 20 Nov 2026 03:00:00 EST', '2026-11-20T08:00:00.000Z'),
  date('a date with a two-digit year', '20 Nov 26 08:00:00 +0000', '2026-11-20T08:00:00.000Z'),
  date('a date with dashes', '20-Nov-2026 08:00:00 +0000', '2026-11-20T08:00:00.000Z'),
  date('a date in ISO', '2026-11-20T08:00:00Z', '2026-11-20T08:00:00.000Z'),
  date('the first second of 1970', 'Thu, 01 Jan 1970 00:00:00 +0000', null),
  date('the 32nd of a month', 'Fri, 32 Nov 2026 08:00:00 +0000', null),
  date('a word for a date', 'yesterday', null),
  date('a number at the end of a word', 'mail 7', null),
  date('the year 123456', '20 Nov 123456 08:00:00 +0000', null),
  date('no date', '', null),

  shape('no Message-ID', { 'Message-ID': '' }, undefined, { messageId: null, body: 'Hello' }),
  shape('a Message-ID without brackets', { 'Message-ID': 'one@example.com' }, undefined, {
    messageId: '<one@example.com>',
  }),
  shape('a folded Message-ID', { 'Message-ID': '\r\n <one\r\n @example.com>' }, undefined, {
    messageId: '<one@example.com>',
  }),
  shape('two Message-IDs', { 'Message-ID': ['<one@x.test>', '<two@x.test>'] }, undefined, {
    messageId: '<one@x.test>',
  }),
  shape('references', { References: '<a@x.test>\r\n <b@x.test> <c@x.test>', 'In-Reply-To': '<c@x.test>' }, undefined, {
    references: ['<a@x.test>', '<b@x.test>', '<c@x.test>'],
    inReplyTo: '<c@x.test>',
  }),
  shape(
    '10,000 references',
    { References: Array.from({ length: 10_000 }, (_, n) => `<${n}@x>`).join(' ') },
    undefined,
    {
      subject: 'Lamp',
    },
  ),
  shape('a reference without end', { References: 'x'.repeat(500_000) }, undefined, { references: [] }),
  shape('an In-Reply-To in words', { 'In-Reply-To': 'Your message of Friday <a@x.test>' }, undefined, {
    inReplyTo: '<a@x.test>',
  }),

  shape('20,000 headers', { 'X-Many': Array.from({ length: 20_000 }, (_, n) => String(n)) }, undefined, {
    subject: 'Lamp',
    body: 'Hello',
    truncated: ['headers'],
  }),
  shape('a header of a megabyte', { 'X-Long': 'y'.repeat(1024 * 1024) }, undefined, {
    body: 'Hello',
    truncated: ['headers'],
  }),
  shape('a header in 200,000 lines', { 'X-Folded': `a${'\r\n b'.repeat(200_000)}` }, undefined, { body: 'Hello' }),
  shape('headers with names of objects', { __proto__x: '1', Constructor: 'x', 'X-Own': 'kept' }, undefined, {
    headers: { 'x-own': 'kept' },
  }),
  shape('a header named __proto__', () => Buffer.from('__proto__: x\r\nSubject: Lamp\r\n\r\nHello'), undefined, {
    subject: 'Lamp',
    body: 'Hello',
  }),
  shape('nulls in headers', () => mailOf({ 'X-Null': 'a\0b', Subject: 'La\0mp' }), undefined, {
    subject: 'La mp',
    headers: { 'x-null': 'a b' },
  }),
  shape('lines that are no headers', () => Buffer.from('nonsense\r\nSubject: Lamp\r\n: x\r\n\r\nHello'), undefined, {
    subject: 'Lamp',
    body: 'Hello',
  }),
  shape(
    'the first line of an mbox',
    () => Buffer.from('From ada Fri Nov 20\r\nSubject: Lamp\r\n\r\nHello'),
    undefined,
    {
      subject: 'Lamp',
      body: 'Hello',
    },
  ),
  shape('a space before a colon', () => Buffer.from('Subject : Lamp\r\n\r\nHello'), undefined, { subject: 'Lamp' }),
  shape('headers only', () => Buffer.from('Subject: Lamp\r\nFrom: ada@example.com'), undefined, {
    subject: 'Lamp',
    from: { email: 'ada@example.com' },
    body: '',
  }),
  shape('no headers', () => Buffer.from('\r\nHello'), undefined, { subject: null, from: null, body: 'Hello' }),
  shape('nothing', () => Buffer.alloc(0), undefined, { subject: null, body: '', parseError: null }),
  shape('line feeds alone', () => Buffer.from('Subject: Lamp\nFrom: ada@example.com\n\nHello\n'), undefined, {
    subject: 'Lamp',
    body: 'Hello',
  }),
  shape('carriage returns alone', () => Buffer.from('Subject: Lamp\rFrom: ada@example.com\r\rHello\r'), undefined, {
    subject: 'Lamp',
    from: { email: 'ada@example.com' },
    body: 'Hello',
  }),
]
