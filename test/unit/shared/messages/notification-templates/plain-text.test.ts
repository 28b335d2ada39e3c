import { expect, it } from 'vitest'
import { plainText } from '../../../../../shared/messages/notification-templates/plain-text.ts'

it.each([
  ['paragraphs', '<p>Hello &amp; welcome,</p><p>it works.</p>', 'Hello & welcome,\n\nit works.'],
  [
    'the address of a link',
    '<a href="https://a.example/1?b=2&amp;c=3">the request</a>',
    'the request [https://a.example/1?b=2&c=3]',
  ],
  ['an address once when the link shows it', '<a href="https://a.example">https://a.example</a>', 'https://a.example'],
  [
    'no images, styles, scripts and titles',
    '<title>t</title><style>a{}</style><script>b</script>x<img src="c" alt="d">',
    'x',
  ],
  ['headings as they are written', '<h1>Request created</h1>', 'Request created'],
  [
    'cells apart',
    '<table><tr><th>Status</th><td>open</td></tr><tr><th>Due</th><td>today</td></tr></table>',
    'Status open\nDue today',
  ],
  ['lists', '<ul><li>one</li><li>two</li></ul>', ' * one\n * two'],
])('has %s', async (_what, html, text) => {
  expect(await plainText(html)).toBe(text)
})

it('has lines of at most 78 characters', async () => {
  const lines = (await plainText('word '.repeat(100))).split('\n')
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(78)
})

it('is cut with a mark when the mail is very long', async () => {
  const text = await plainText(`<p>${'a'.repeat(1024 * 1024)}</p>`)
  expect([text.length, text.endsWith('\n…')]).toEqual([256 * 1024 - 3 + 2, true])
})
