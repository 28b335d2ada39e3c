import { isLinkTarget } from '../parts/article/article-blocks.ts'

/*
 * Turns what stands in the editor into the text of an article (`parts/article/article-blocks.ts`). What the format does not
 * have, such as colours of a pasted text, is left out.
 */

const blocks: ReadonlySet<string> = new Set(
  'address article aside blockquote div dl dd dt figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td th tr ul'.split(
    ' ',
  ),
)
const isBlock = (node: Node): node is Element => node instanceof Element && blocks.has(node.localName)

/** The text of everything in `root`. */
export const writeArticle = (root: Element): string =>
  blocksIn(root)
    .filter((text) => text !== '')
    .join('\n\n')

function blocksIn(root: Element): string[] {
  const found: string[] = []
  let line = ''
  const end = (): void => {
    found.push(paragraph(line))
    line = ''
  }
  for (const node of root.childNodes) {
    if (isBlock(node)) {
      end()
      found.push(...blockOf(node))
    } else line += inlineOf(node)
  }
  end()
  return found
}

function blockOf(element: Element): string[] {
  const { localName: name } = element
  if (/^h[12]$/.test(name)) return [heading('##', element)]
  if (/^h[3-6]$/.test(name)) return [heading('###', element)]
  if (name === 'ul' || name === 'ol') return [listOf(element, name === 'ol')]
  if (name === 'pre') return [`\`\`\`\n${element.textContent.replaceAll('```', '').trim()}\n\`\`\``]
  if (name === 'blockquote') return [quoteOf(element)]
  return blocksIn(element)
}

const heading = (marks: string, element: Element): string => {
  const text = oneLine(contentOf(element))
  return text && `${marks} ${text}`
}

function listOf(list: Element, isOrdered: boolean): string {
  return itemsOf(list)
    .map((item, index) => `${isOrdered ? `${index + 1}.` : '-'} ${item}`)
    .join('\n')
}

/** The items of a list; those of lists in it follow them. */
const itemsOf = (list: Element): string[] =>
  [...list.children].flatMap((item) => {
    const inner = [...item.children].filter(({ localName: name }) => name === 'ul' || name === 'ol')
    const own = [...item.childNodes].filter((node) => !inner.includes(node as Element))
    const text = oneLine(own.map(inlineOf).join(''))
    return [...(text ? [text] : []), ...inner.flatMap(itemsOf)]
  })

const quoteOf = (element: Element): string => {
  const text = blocksIn(element)
    .filter((one) => one !== '')
    .join('\n')
  return text && text.replaceAll(/^/gm, '> ')
}

/** A text that begins like something else than a paragraph says that it is none. */
const paragraph = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replace(/^(?=#{1,6} |[-*] |> ?|```|<[a-z!])/i, '\\')
        .replace(/^(\d{1,9})(?=[.)] )/, '$1\\'),
    )
    .join('\n')
    .trim()

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const contentOf = (element: Node): string => [...element.childNodes].map(inlineOf).join('')

function inlineOf(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return escaped(node.nodeValue ?? '')
  if (!(node instanceof Element)) return ''
  const name = node.localName
  if (name === 'br') return '\n'
  if (name === 'code') return node.textContent.includes('`') ? escaped(node.textContent) : marked('`', node.textContent)
  const content = contentOf(node)
  if (name === 'b' || name === 'strong') return marked('**', content)
  if (name === 'i' || name === 'em') return marked('*', content)
  const href = name === 'a' ? (node.getAttribute('href') ?? '') : ''
  const label = oneLine(content)
  if (label && isLinkTarget(href)) return `[${label}](${href.replaceAll('(', '%28').replaceAll(')', '%29')})`
  return isBlock(node) ? `${content}\n` : content
}

/** Marks stand directly at their text: spaces go outside of them. */
function marked(mark: string, text: string): string {
  const [, before = '', inside = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? []
  return inside === '' ? text : `${before}${mark}${inside}${mark}${after}`
}

const escaped = (text: string): string =>
  text
    .replaceAll(/[\u00A0\n\t ]+/g, ' ')
    .replaceAll(/[\\*`]/g, String.raw`\$&`)
    .replaceAll('](', String.raw`\](`)
