import { cutToBytes } from '../../../../platform/store/slots.ts'
import { plainText } from '../../../notification-templates/plain-text.ts'
import { cleanHtml } from '../clean-html.ts'
import { cleanText } from '../clean-text.ts'
import { saysMore, type Written } from './written-parts.ts'

interface Text {
  readonly text: string
  readonly isCut: boolean
}

/**
 * The one text that a mail is for all who read it: all its parts in their order, each by the one of its alternatives that says
 * the most. At most `maxBytes` of it.
 */
export async function oneText(written: readonly Written[], maxBytes: number): Promise<Text> {
  let all = ''
  let before: Written | undefined
  let left = maxBytes
  let isCut = false
  for (const part of written) {
    if (left <= 0) {
      isCut = true
      break
    }
    const read = await textOfPart(part, maxBytes)
    const text = cutToBytes(read.text, left)
    isCut ||= read.isCut || text.length < read.text.length
    if (text === '') continue
    all += `${before === undefined ? '' : part.kind === 'text' && before.kind === 'text' ? '\n' : '\n\n'}${text}`
    before = part
    left = maxBytes - Buffer.byteLength(all) - 2
  }
  return { text: all, isCut }
}

async function textOfPart(part: Written, maxBytes: number): Promise<Text> {
  if (part.kind === 'text') return trimmed(cutToBytes(part.content, 2 * maxBytes), part.content)
  if (part.kind === 'html') {
    // That it was cut is noted with the HTML.
    const { html } = await cleanHtml(part.content)
    return { text: cleanText(await plainText(html, null)).trim(), isCut: false }
  }
  return bestOf(part.ways, maxBytes)
}

const trimmed = (text: string, whole: string): Text => ({
  text: cleanText(text).trim(),
  isCut: text.length < whole.length,
})

/** The plainest is taken where no richer one says more. */
async function bestOf(ways: readonly (readonly Written[])[], maxBytes: number): Promise<Text> {
  let best: Text = { text: '', isCut: false }
  const isPlain = (way: readonly Written[]): boolean => way.every(({ kind }) => kind === 'text')
  // More ways of saying the same are no sign of a person.
  for (const way of [...ways.filter(isPlain), ...ways.filter((one) => !isPlain(one))].slice(0, 5)) {
    const next = await oneText(way, maxBytes)
    if (saysMore(best.text, next.text) === 'html') best = next
  }
  return best
}
