import { base64, type MailShape, multipart, part, partsOf, shape, text, utf8 } from './mail-shape.ts'

const plain = (name: string, type: string, body: string, expected: string, encoding = '8bit'): MailShape =>
  shape(name, { 'Content-Type': type, 'Content-Transfer-Encoding': encoding }, body, {
    body: expected,
    html: null,
    parseError: null,
  })
const html = (name: string, body: string, says: MailShape['says']): MailShape =>
  shape(name, { 'Content-Type': 'text/html; charset=utf-8' }, body, { parseError: null, ...says })

/** Texts and HTML in every encoding, and in none. */
export const bodyShapes: readonly MailShape[] = [
  plain('a text in UTF-8', 'text/plain; charset=utf-8', utf8('Grüße 🎉'), 'Grüße 🎉'),
  plain('a text in Latin-1', 'text/plain; charset=iso-8859-1', 'Gr\xfc\xdfe', 'Grüße'),
  plain('a text in Windows-1251', 'text/plain; charset=windows-1251', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'),
  plain('a text in KOI8-R', 'text/plain; charset=koi8-r', '\xf0\xd2\xc9\xd7\xc5\xd4', 'Привет'),
  plain('a text in Shift JIS', 'text/plain; charset=shift_jis', '\x82\xc5\x82\xb7', 'です'),
  plain('a text in ISO-2022-JP', 'text/plain; charset=iso-2022-jp', '\x1b$B$G$9\x1b(B', 'です'),
  plain('a text in EUC-KR', 'text/plain; charset=ks_c_5601-1987', '\xbe\xc8', '안'),
  plain(
    'a text in ISO-2022-KR',
    'text/plain; charset=ISO-2022-KR',
    '\x1b$)C\x0e>H3g\x0f abc\r\n\x0e>H\x0f',
    '안녕 abc\n안',
  ),
  plain(
    'a text in HZ-GB-2312',
    'text/plain; charset=HZ-GB-2312',
    'a ~{Dc:C~} ~~ b~\r\nc\r\n~{Dc\r\nd',
    'a 你好 ~ bc\n你\nd',
  ),
  plain('a uuencoded text', 'text/plain', 'begin 644 a.txt\r\n%2&5L;&\\\r\n`\r\nend\r\n', 'Hello', 'x-uuencode'),
  plain('a text in GB18030', 'text/plain; charset=gb18030', '\xc4\xe3\xba\xc3', '你好'),
  plain('a text in UTF-16', 'text/plain; charset=utf-16le', 'H\0i\0', 'Hi'),
  plain('a text in UTF-7', 'text/plain; charset=utf-7', 'Hi +AOQ-', 'Hi ä'),
  plain('a text in a charset that nobody knows', 'text/plain; charset=x-klingon', 'Hello', 'Hello'),
  plain('a text in a quoted charset', 'text/plain; charset="UTF-8"', utf8('Grüße'), 'Grüße'),
  plain('broken UTF-8', 'text/plain; charset=utf-8', 'a\xffb', 'a\uFFFDb'),
  plain('nulls in a text', 'text/plain', 'a\0b\x07c', 'abc'),
  plain('a text in base64', 'text/plain; charset=utf-8', base64('Grüße'), 'Grüße', 'base64'),
  plain('base64 with rubbish between', 'text/plain', 'SGV*s\r\n!bG8=', 'Hello', 'base64'),
  plain('base64 without its end', 'text/plain', 'SGVsbG8', 'Hello', 'base64'),
  plain('quoted printable', 'text/plain; charset=utf-8', 'Gr=C3=BC=C3=9Fe=\r\n!', 'Grüße!', 'quoted-printable'),
  plain('broken quoted printable', 'text/plain', 'a=ZZb=', 'a=ZZb', 'quoted-printable'),
  plain('quoted printable with trailing spaces', 'text/plain', 'a  \r\nb=20\r\n', 'a\nb', 'quoted-printable'),
  plain('an encoding that nobody knows', 'text/plain', 'Hello', 'Hello', 'x-unknown'),
  plain('format=flowed', 'text/plain; format=flowed', 'one \r\ntwo\r\nthree', 'one two\nthree'),
  plain('format=flowed with delsp', 'text/plain; format=flowed; delsp=yes', 'one \r\ntwo', 'onetwo'),
  plain('no type', '', 'Hello', 'Hello'),
  plain('bare carriage returns', 'text/plain', 'one\rtwo\r\nthree\nfour', 'one\ntwo\nthree\nfour'),
  plain('no body', 'text/plain', '', ''),
  plain('a dot alone', 'text/plain', '.\r\n..\r\n', '.\n..'),
  shape('a line of two megabytes', { 'Content-Type': 'text/plain' }, 'x'.repeat(2 * 1024 * 1024), {
    body: 'x'.repeat(256 * 1024),
    truncated: ['body'],
  }),
  shape('a million empty lines', {}, `${'\r\n'.repeat(1_000_000)}end`, { body: '', truncated: ['body'] }),
  shape(
    'five megabytes of two-byte characters',
    { 'Content-Type': 'text/plain; charset=utf-8' },
    utf8('ü'.repeat(2 ** 21)),
    {
      body: 'ü'.repeat(128 * 1024),
      truncated: ['body'],
    },
  ),

  html('HTML only', '<p>Hello <b>you</b></p><p>Bye</p>', { body: 'Hello you\n\nBye' }),
  html('HTML with a link', '<a href="https://example.com/x">site</a>', { body: 'site [https://example.com/x]' }),
  html('HTML with a table', '<table><tr><td>Status</td><td>open</td></tr></table>', { body: 'Status open' }),
  html('HTML with a script', '<p>Hi</p><script>alert(1)</script>', { body: 'Hi', html: '<p>Hi</p>' }),
  html('HTML with an image by cid', '<img src="cid:logo@x">', {
    html: '<img src="cid:logo@x" referrerpolicy="no-referrer" />',
    body: '',
  }),
  html('HTML that is not closed', '<div><p>Hi<b>there', { html: '<div><p>Hi<b>there</b></p></div>' }),
  html('HTML with a head that is not closed', '<html><head><title>T</title><meta charset=utf-8><body><p>Hi', {
    body: 'Hi',
    html: '<p>Hi</p>',
  }),
  html('HTML with a button and a video', '<button>Pay</button><video>no video</video>', { body: 'Payno video' }),
  html('HTML without any tag', 'just text', { body: 'just text', html: 'just text' }),
  html('a paragraph that is longer than a line', `<p>${'word '.repeat(100)}</p>`, { body: 'word '.repeat(100).trim() }),
  html('100,000 nested elements', '<div>'.repeat(100_000), { truncated: ['html'], body: '' }),
  html('40,000 rows of a table', `<table>${'<tr><td>x</td></tr>'.repeat(40_000)}</table>`, { truncated: ['html'] }),
  html('a megabyte of HTML', `<p>${'x'.repeat(2 ** 20)}</p>`, { truncated: ['body', 'html'] }),
  html('comments without end', '<!--'.repeat(50_000), { body: '' }),
  html('half a megabyte of angle brackets', '<'.repeat(2 ** 19), { truncated: ['html'] }),

  shape('text and HTML', multipart('alternative'), partsOf('b', [text('plain'), text('<p>rich</p>', 'text/html')]), {
    body: 'plain',
    html: '<p>rich</p>',
    attachments: [],
  }),
  shape(
    'an empty text and HTML',
    multipart('alternative'),
    partsOf('b', [text(' '), text('<p>rich</p>', 'text/html')]),
    {
      body: 'rich',
      html: '<p>rich</p>',
    },
  ),
  shape(
    'HTML and then text',
    multipart('alternative'),
    partsOf('b', [text('<p>rich</p>', 'text/html'), text('plain')]),
    {
      body: 'plain',
      html: '<p>rich</p>',
    },
  ),
  shape('two texts', multipart('mixed'), partsOf('b', [text('one'), text('two')]), { body: 'one\ntwo' }),
  shape(
    'a text of each charset',
    multipart('mixed'),
    partsOf('b', [
      text(utf8('ä'), 'text/plain; charset=utf-8'),
      part({ 'Content-Type': 'text/plain; charset=iso-8859-1' }, '\xe4'),
    ]),
    { body: 'ä\nä' },
  ),
  shape(
    'a calendar beside a text',
    multipart('alternative'),
    partsOf('b', [text('Meeting'), text('BEGIN:VCALENDAR\r\nEND:VCALENDAR', 'text/calendar; method=REQUEST')]),
    { body: 'Meeting', attachments: [{ name: 'invite.ics', contentType: 'text/calendar' }] },
  ),
]
