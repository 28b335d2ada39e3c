import type { IOptions } from 'sanitize-html'
import { maxMailHtmlBytes } from '../../../kernel/limits/incoming.ts'
import { cutToBytes } from '../../../platform/store/slots.ts'

/** Parsing deeply nested elements takes time by the square of their number. */
const maxTags = 40_000
const maxDepth = 100

const words = (text: string): string[] => text.split(/\s+/)

const allowedTags = words(
  `a abbr address b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt em figcaption
  figure font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strike strong sub sup table tbody td
  tfoot th thead time tr tt u ul wbr`,
)

/** Elements whose content is no text for readers, or is read as markup by one parser and as text by another. */
const nonTextTags = words(
  `script style title textarea option select noscript noembed noframes xmp plaintext template iframe object embed applet
  svg math`,
)

/** Values of CSS without functions but those of colors: nothing is loaded, nothing escapes. */
const plainCss = /^(?:[\w\s#%.,+'"-]|\b(?:rgb|rgba|hsl|hsla)\([\d\s.,%/]{1,60}\)){1,200}$/i
const sides = ['top', 'right', 'bottom', 'left']
const cssProperties = [
  ...words(
    `color background-color direction display font font-family font-size font-style font-weight line-height
    letter-spacing text-align text-decoration text-indent text-transform vertical-align white-space word-break width
    height max-width min-width border border-collapse border-color border-radius border-spacing border-style border-width
    list-style-type margin padding`,
  ),
  ...['border', 'margin', 'padding'].flatMap((box) => sides.map((side) => `${box}-${side}`)),
]

const linkTarget = /^(?:https?:\/\/|mailto:|tel:)/i
/** SVG is a document of its own. */
const imageSource = /^(?:https?:\/\/|cid:|data:image\/(?:png|jpe?g|gif|webp|bmp);base64,[a-z0-9+/=\s]*$)/i

const options: IOptions = {
  allowedTags,
  nonTextTags,
  allowedAttributes: {
    '*': ['style', 'dir', 'lang', 'align', 'valign', 'title'],
    a: ['href', 'rel'],
    img: ['src', 'alt', 'width', 'height', 'border', 'referrerpolicy'],
    table: ['width', 'height', 'border', 'cellpadding', 'cellspacing', 'bgcolor'],
    tr: ['bgcolor', 'height'],
    td: ['width', 'height', 'colspan', 'rowspan', 'bgcolor', 'nowrap'],
    th: ['width', 'height', 'colspan', 'rowspan', 'bgcolor', 'nowrap', 'scope'],
    col: ['width', 'span'],
    colgroup: ['width', 'span'],
    ol: ['start', 'type'],
    ul: ['type'],
    font: ['color', 'face', 'size'],
    hr: ['width', 'size', 'color', 'noshade'],
    time: ['datetime'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https', 'cid', 'data'] },
  allowProtocolRelative: false,
  allowedStyles: { '*': Object.fromEntries(cssProperties.map((property) => [property, [plainCss]])) },
  nestingLimit: maxDepth,
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && attribs.src === undefined,
  transformTags: {
    // Addresses without a scheme would lead into our own application.
    a: (tagName, { href, ...attribs }) => ({
      tagName,
      attribs: href !== undefined && linkTarget.test(href.trim()) ? { ...attribs, href: href.trim(), rel } : attribs,
    }),
    img: (tagName, { src, ...attribs }) => ({
      tagName,
      attribs:
        src !== undefined && imageSource.test(src.trim())
          ? { ...attribs, src: src.trim(), referrerpolicy: 'no-referrer' }
          : attribs,
    }),
  },
}
const rel = 'noopener noreferrer nofollow'

/**
 * HTML of a mail that is safe to show: text, tables, links, and images by `cid:`, `https:` and `data:`. Nothing in it runs,
 * submits or frames anything, or is loaded by CSS. At most 512 KB and 40,000 tags are read and answered.
 */
export async function cleanHtml(html: string): Promise<{ readonly html: string; readonly isCut: boolean }> {
  const { default: sanitize } = await import('sanitize-html')
  let part = beforeTag(cutToBytes(html, maxMailHtmlBytes), maxTags)
  let clean = sanitize(part, options)
  // Escaped characters and attributes that are added make it longer.
  while (Buffer.byteLength(clean) > maxMailHtmlBytes) {
    part = part.slice(0, Math.floor(part.length / 2))
    clean = sanitize(part, options)
  }
  return { html: clean.toWellFormed(), isCut: part.length < html.length }
}

/** Whether a reader sees a text in HTML: something besides tags, comments, scripts and styles. */
export const hasVisibleText = (html: string): boolean =>
  html
    .replaceAll(/<!--[^]*?(?:-->|$)/g, '')
    .replaceAll(/<(script|style|title)\b[^]*?(?:<\/\1\s*>|$)/gi, '')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&nbsp;|\s/g, '') !== ''

/** The HTML before its nth tag. */
function beforeTag(html: string, n: number): string {
  let count = 0
  for (const { index } of html.matchAll(/<[a-z/]/gi)) {
    count += 1
    if (count > n) return html.slice(0, index)
  }
  return html
}
