import { type MimePart, readPart, textOf } from './mime-part.ts'

/** A mail as a mail program shows it. */
export interface ReadMail {
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  /** Images of the mail are part of it, as `data:` addresses. */
  readonly html: string | undefined
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly bytes: number }[]
}

/** Larger images are left out of the HTML. */
const maxInlineBytes = 1024 * 1024

/** Reads a MIME message: the first text, the first HTML, and the rest as attachments. Never throws. */
export function readMail(source: Buffer): ReadMail {
  const message = readPart(source)
  const leaves = leavesOf(message)
  const first = (type: string): MimePart | undefined => leaves.find((part) => part.type === type && !part.isAttachment)
  const [text, html] = [first('text/plain'), first('text/html')]
  return {
    headers: message.headers,
    text: text ? linesOf(textOf(text)) : html ? roughText(textOf(html)) : '',
    html: html && withImages(linesOf(textOf(html)), leaves),
    attachments: leaves
      .filter((part) => part !== text && part !== html)
      .map(({ fileName, type, content }) => ({ name: fileName ?? 'unnamed', type, bytes: content.length })),
  }
}

/** Lines end with LF; the last one does not end. */
const linesOf = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\n$/, '')

const leavesOf = (part: MimePart): MimePart[] => (part.parts.length > 0 ? part.parts.flatMap(leavesOf) : [part])

/** Replaces `cid:` addresses by the images that they name. */
function withImages(html: string, leaves: readonly MimePart[]): string {
  let whole = html
  for (const { headers, type, content } of leaves) {
    const id = headers.get('content-id')?.replace(/^<|>$/g, '')
    if (id && /^image\/[\w.+-]+$/.test(type) && content.length <= maxInlineBytes)
      whole = whole.replaceAll(`cid:${id}`, `data:${type};base64,${content.toString('base64')}`)
  }
  return whole
}

/** A line of text of a mail without a plain part, to search and to list it. */
const roughText = (html: string): string =>
  html
    .replace(/<(style|script|head)\b.*?<\/\1>/gis, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
