import { describe, expect, it } from 'vitest'
import { cleanMail } from '../../../web/parts/clean-mail.ts'

const none: ReadonlyMap<string, string> = new Map()

function cleaned(html: string, more: Partial<Parameters<typeof cleanMail>[2]> = {}) {
  const target = document.implementation.createHTMLDocument()
  const { content, hidden } = cleanMail(html, target, { attached: none, withRemote: false, ...more })
  const holder = target.createElement('div')
  holder.append(content)
  return { html: holder.innerHTML, hidden }
}

describe('a mail that is shown', () => {
  it.each([
    ['<p>Hello <b>Rita</b></p>', '<p>Hello <b>Rita</b></p>'],
    ['<table width="100%" bgcolor="#ffffff"><tbody><tr><td align="left">a</td></tr></tbody></table>', undefined],
    ['<ol start="3"><li>x</li></ol>', undefined],
    // What is not known goes; what it says stays.
    ['<main><custom-element>Hello</custom-element></main>', 'Hello'],
    ['<h2 id="location" name="cookie" class="x" data-x="1" aria-label="y">a</h2>', '<h2>a</h2>'],
  ])('keeps what people read: %s', (html, expected = html) => {
    expect(cleaned(html).html).toBe(expected)
  })

  it.each([
    '<script>alert(1)</script>',
    '<style>body { display: none }</style>',
    '<iframe src="https://evil.example"></iframe>',
    '<object data="x"><embed src="x"></object>',
    '<svg><script>alert(1)</script><text>a</text></svg>',
    '<svg><animate onbegin="alert(1)" attributeName="x"></animate></svg>',
    '<math><mtext><table><mglyph><style><img src="x" onerror="alert(1)"></style></mglyph></table></mtext></math>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<template><img src="x" onerror="alert(1)"></template>',
    '<textarea><img src="x" onerror="alert(1)"></textarea>',
    '<title><img src="x" onerror="alert(1)"></title>',
    '<meta http-equiv="refresh" content="0;url=https://evil.example">',
    '<link rel="stylesheet" href="https://evil.example/x.css"><base href="https://evil.example">',
    '<input type="image" src="https://evil.example"><button formaction="javascript:alert(1)">x</button>',
    '<video src="https://evil.example/x" poster="https://evil.example/y"></video>',
  ])('leaves nothing of %s that runs, loads or asks', (html) => {
    const { html: left } = cleaned(`<p>before</p>${html}<p>after</p>`, { withRemote: true })
    expect(left).not.toMatch(
      /script|style|iframe|object|embed|svg|math|onerror|onbegin|evil|javascript|input|button|meta|link|video/i,
    )
    expect(left.startsWith('<p>before</p>')).toBe(true)
  })

  it.each(['onclick', 'onerror', 'onload', 'onmouseover', 'onfocus', 'srcset', 'background', 'xlink:href', 'ping'])(
    'has no %s',
    (name) => {
      expect(cleaned(`<p ${name}="alert(1)">a</p><img ${name}="https://evil.example" alt="b">`).html).toBe(
        '<p>a</p><img alt="b" referrerpolicy="no-referrer">',
      )
    },
  )

  it.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://app.test/x',
    'file:///etc/passwd',
    '/api/session',
    '//evil.example',
  ])('has no link to %j', (href) => {
    const link = document.createElement('a')
    link.setAttribute('href', href)
    link.textContent = 'x'
    expect(cleaned(link.outerHTML).html).toBe('<a>x</a>')
  })

  it.each(['https://example.com/a?b=1', 'http://example.com/', 'mailto:rita@example.com', 'tel:+4912345'])(
    'leads to %s in a tab of its own, which learns nothing of where it came from',
    (href) => {
      expect(cleaned(`<a href="${href}" target="_top" rel="opener">x</a>`).html).toBe(
        `<a href="${href}" target="_blank" rel="noopener noreferrer nofollow">x</a>`,
      )
    },
  )

  it('shows pictures that came with it, and those of other hosts when they are asked for', () => {
    const attached = new Map([['logo', 'https://files.test/logo.png']])
    const own = 'data:image/png;base64,AAAA'
    const html = `<img src="cid:logo"><img src="cid:other"><img src="${own}"><img src="https://evil.example/p.gif" alt="p">`
    const sources = (text: string) => [...text.matchAll(/ src="([^"]*)"/g)].map(([, source]) => source)
    const hiding = cleaned(html, { attached })
    expect([sources(hiding.html), hiding.hidden]).toEqual([['https://files.test/logo.png', own], 1])
    const showing = cleaned(html, { attached, withRemote: true })
    expect([sources(showing.html).at(-1), showing.hidden]).toEqual(['https://evil.example/p.gif', 0])
  })

  it.each(['data:image/svg+xml;base64,AAAA', 'data:text/html,x', 'javascript:alert(1)', '/api/files', 'blob:x'])(
    'shows no picture from %s',
    (source) => expect(cleaned(`<img src="${source}" alt="a">`, { withRemote: true }).html).not.toContain(' src='),
  )

  it('keeps plain looks, and none that load, move or cover the page', () => {
    const { html } = cleaned(
      '<p style="color: red; position: fixed; background-color: url(https://evil.example); width: expression(1); --x: 1">a</p>',
    )
    expect(html).toBe('<p style="color: red;">a</p>')
    expect(
      cleaned('<p style="color: red" align="left"><font color="red">a</font></p>', { withStyles: false }).html,
    ).toBe('<p><font>a</font></p>')
  })

  it('is shown however deep or long it is', () => {
    expect(cleaned(`${'<div>'.repeat(300)}deep`).html).toContain('deep')
    expect(cleaned('<main><b>x</b></main>'.repeat(1000)).html.match(/<b>/g)?.length).toBe(1000)
  })
})
