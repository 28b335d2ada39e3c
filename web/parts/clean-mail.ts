import DOMPurify, { type Config } from 'dompurify'

/*
 * A mail as elements that are safe to show. The service has cleaned the HTML when it received it; here DOMPurify reads it
 * into a document where nothing runs or loads and leaves what is allowed. Links, pictures and looks are then set one by
 * one; no text becomes markup a second time.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const allowed = words(`
  a abbr address b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt em figcaption
  figure font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strike strong sub sup table tbody td
  tfoot th thead time tr tt u ul wbr`)
/** Their content is no text for readers. */
const dropped = words(`
  applet audio base button canvas embed frame frameset head iframe input link math meta noembed noframes object
  option plaintext script select source style svg template textarea title track video xmp`)
const attributes = words(`
  align alt bgcolor border cellpadding cellspacing color cols colspan datetime dir face height lang noshade nowrap rowspan
  scope size span start title type valign width`)
/** Of the attributes those that say how something looks. */
const looks = words('align bgcolor border cellpadding cellspacing color face height noshade nowrap size valign width')
const properties = words(`
  background-color border-bottom-color border-bottom-style border-bottom-width border-collapse border-left-color
  border-left-style border-left-width border-right-color border-right-style border-right-width border-spacing
  border-top-color border-top-style border-top-width color direction font-family font-size font-style font-weight height
  letter-spacing line-height list-style-type margin-bottom margin-left margin-right margin-top max-width min-width
  padding-bottom padding-left padding-right padding-top text-align text-decoration-line text-indent text-transform
  vertical-align white-space width word-break`)
/** Values without functions, but for those of colours: nothing is loaded. */
const plainValue = /^(?:[\w\s#%.,+'"-]|\b(?:rgb|rgba|hsl|hsla)\([\d\s.,%/]+\))*$/i
const linkTarget = /^(?:https?:\/\/|mailto:|tel:)/i
const ownPicture = /^data:image\/(?:png|jpe?g|gif|webp|bmp);base64,/i

/** The app renders no text as markup; this policy only reads a mail in a document of its own, where nothing runs. */
const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes }
const policy = trustedTypes?.createPolicy('read-mail', {
  createHTML: (html) => html,
  createScriptURL() {
    throw new TypeError('A mail has no scripts.')
  },
})

/** As the standard has it; the types of TypeScript do not know it yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML: (html: string) => string; createScriptURL: (url: string) => string },
  ): NonNullable<Config['TRUSTED_TYPES_POLICY']>
}

const rules = {
  ALLOWED_TAGS: [...allowed],
  ALLOWED_ATTR: [...attributes, 'href', 'src', 'style'],
  FORBID_CONTENTS: [...dropped],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
  // Nothing is written as text again, so no element has to go with all that it holds for how a second parser might read it.
  SAFE_FOR_XML: false,
  ...(policy && { TRUSTED_TYPES_POLICY: policy }),
} satisfies Config

const maxElements = 40_000

export interface CleanOptions {
  /** Addresses of attached pictures, by the id that `cid:` names. */
  readonly attached: ReadonlyMap<string, string>
  /** Whether pictures of other hosts are shown. */
  readonly withRemote: boolean
  /** Whether it keeps its own colours, sizes and fonts; as it does when left out. */
  readonly withStyles?: boolean
}

export interface CleanMail {
  readonly content: DocumentFragment
  /** Pictures of other hosts that are not shown. */
  readonly hidden: number
}

/** Builds the elements of a mail for `target`, the document that shows it. */
export function cleanMail(
  html: string,
  target: Document,
  { attached, withRemote, withStyles = true }: CleanOptions,
): CleanMail {
  const read = DOMPurify.sanitize(html, rules)
  // Taken away before the mail comes into a document that loads pictures and has a policy of styles.
  const taken = [...read.querySelectorAll<HTMLElement>('*')].map((element) => ({
    element,
    source: take(element, 'src'),
    href: take(element, 'href'),
    style: take(element, 'style'),
  }))
  const content = target.adoptNode(read)
  let hidden = 0
  for (const [index, { element, source, href, style }] of taken.entries()) {
    if (index >= maxElements) element.remove()
    // A title or a text of a picture that is markup says nothing to readers.
    for (const name of element.getAttributeNames())
      if (element.getAttribute(name)?.includes('<')) element.removeAttribute(name)
    if (withStyles) setStyle(element, style)
    else for (const look of looks) element.removeAttribute(look)
    if (element.localName === 'a') setLink(element as HTMLAnchorElement, href)
    if (element.localName === 'img') setPicture(element as HTMLImageElement, source)
  }
  return { content, hidden }

  function setPicture(picture: HTMLImageElement, source: string): void {
    const id = /^cid:(.+)$/i.exec(source)?.[1]
    const isRemote = /^https?:\/\//i.test(source)
    const address = id === undefined ? source : attached.get(id)
    if (address !== undefined && (id !== undefined || ownPicture.test(source) || (isRemote && withRemote)))
      picture.src = address
    if (isRemote && !withRemote) hidden += 1
    picture.setAttribute('referrerpolicy', 'no-referrer')
    // Without a text a picture is decoration.
    if (!picture.hasAttribute('alt')) picture.alt = ''
  }
}

/** The value of an attribute, which the element has no more. */
function take(element: Element, name: string): string {
  const value = element.getAttribute(name)?.trim() ?? ''
  element.removeAttribute(name)
  return value
}

/** The policy of the page has the parser leave styles out; set by a script, on an element that is never shown, they are read. */
function setStyle(element: HTMLElement, text: string): void {
  if (text === '') return
  const { style } = document.implementation.createHTMLDocument().createElement('span')
  style.cssText = text
  for (const property of style) {
    const value = style.getPropertyValue(property)
    if (properties.has(property) && plainValue.test(value)) element.style.setProperty(property, value)
  }
}

/** A link opens a tab of its own, which learns nothing of where it came from. */
function setLink(link: HTMLAnchorElement, href: string): void {
  if (!linkTarget.test(href)) return
  link.href = href
  link.target = '_blank'
  link.rel = 'noopener noreferrer nofollow'
}
