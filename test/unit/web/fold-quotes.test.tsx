import { describe, expect, it } from 'vitest'
import { foldQuotes } from '../../../web/parts/mail/fold-quotes.ts'

/** What stays in sight of a mail, and what is folded. */
function folded(html: string, textNew?: string): { readonly seen: string; readonly folded: string[] } {
  const target = document.implementation.createHTMLDocument()
  const content = target.createDocumentFragment()
  const holder = new DOMParser().parseFromString(html, 'text/html').body
  content.append(...[...holder.childNodes].map((node) => target.importNode(node, true)))
  foldQuotes(content, target, { label: '…', textNew })
  const parts = [...content.querySelectorAll('details')]
  const texts = parts.map((part) =>
    [...part.childNodes]
      .slice(1)
      .map((node) => node.textContent)
      .join('')
      .trim(),
  )
  for (const part of parts) part.remove()
  return { seen: (content.textContent ?? '').replaceAll(/\s+/g, ' ').trim(), folded: texts }
}

const headers = (from: string, sent: string, to: string): string =>
  `<div><div style="border-top:solid #E1E1E1 1.0pt"><p><b>${from}:</b> Desk<br><b>${sent}:</b> Monday<br><b>${to}:</b> Hal</p></div></div>`

describe('what a mail quotes', () => {
  it('is folded, and what is new stays', () => {
    expect(folded('<p>Yes.</p><blockquote>Really?</blockquote>', 'Yes.')).toEqual({ seen: 'Yes.', folded: ['Really?'] })
    expect(folded('<p>Yes.</p><blockquote>Really?</blockquote>')).toEqual({ seen: 'Yes.', folded: ['Really?'] })
  })

  it.each([
    ['From', 'Sent', 'To'],
    ['Von', 'Gesendet', 'An'],
    ['De', 'Enviado el', 'Para'],
  ])('is what stands below copied headers: %s', (...names) => {
    const { seen, folded: parts } = folded(
      `<div><p>It is the red one.</p><hr>${headers(...names)}<p>Which one?</p><blockquote>Broken.</blockquote></div>`,
      'It is the red one.',
    )
    expect(seen).toBe('It is the red one.')
    expect(parts).toHaveLength(1)
    expect(parts[0]).toMatch(/^(From|Von|De): Desk.*Which one\?Broken\.$/)
  })

  it('stays open where the writer answers inside of it', () => {
    const inside = `<p>See below in red.</p>${headers('From', 'Sent', 'To')}<p>Which window? <span>The middle one.</span></p>`
    expect(folded(inside, 'See below in red.\n\nWhich window? The middle one.').folded).toEqual([])
    const quoted = '<p>Hello,</p><blockquote>Which window?<br>The middle one.</blockquote>'
    expect(folded(quoted, 'Hello,\n\nThe middle one.').folded).toEqual([])
    // A line that stands outside as well is no answer inside.
    expect(folded('<p>Thank you.</p><blockquote>Thank you.</blockquote>', 'Thank you.').folded).toEqual(['Thank you.'])
  })

  it.each([
    '<blockquote>All of it.</blockquote>',
    `${headers('From', 'Sent', 'To')}<p>All of it.</p>`,
    '<p>No quote. <b>From:</b> the shelf <b>To:</b> the door.</p>',
  ])('is not all there is: %s', (html) => {
    expect(folded(html).folded).toEqual([])
  })
})
