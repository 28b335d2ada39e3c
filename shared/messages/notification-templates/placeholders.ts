import { maxPlaceholderCharacters } from '../../kernel/limits/messages.ts'

/** A stretch of a template: text, a placeholder, or braces that are no placeholder. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'placeholder'; readonly path: readonly string[] }
  /** `text` is the source as it stands, `at` its index in the template. */
  | { readonly kind: 'mistake'; readonly text: string; readonly at: number; readonly reason: string }

const pathPattern = /^[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+)*$/u

/**
 * Splits a template at its placeholders `{{path.to.value}}`. Time and memory are linear in its length, whatever it
 * holds.
 */
export function parseTemplate(template: string): Part[] {
  const parts: Part[] = []
  const addText = (from: number, to: number): void => {
    if (to > from) parts.push({ kind: 'text', text: template.slice(from, to) })
  }
  const addMistake = (from: number, to: number, reason: string): void => {
    parts.push({ kind: 'mistake', text: template.slice(from, to), at: from, reason })
  }
  let next = 0
  while (next < template.length) {
    const open = template.indexOf('{{', next)
    if (open === -1) break
    addText(next, open)
    const close = template.indexOf('}}', open + 2)
    if (close === -1) {
      addMistake(open, template.length, unclosed)
      return parts
    }
    // The last braces before the end belong to it: those before them were never closed.
    const innermost = template.lastIndexOf('{{', close - 1)
    const isTriple = template[innermost - 1] === '{' && innermost - 1 <= open && template[close + 2] === '}'
    if (isTriple) {
      next = close + 3
      addMistake(open, next, 'Values are always HTML-escaped: use two braces instead of three.')
    } else if (innermost > open) {
      next = innermost
      addMistake(open, next, unclosed)
    } else {
      next = close + 2
      const path = template.slice(open + 2, close).trim()
      if (path.length <= maxPlaceholderCharacters && pathPattern.test(path))
        parts.push({ kind: 'placeholder', path: path.split('.') })
      else addMistake(open, next, reasonFor(path))
    }
  }
  addText(next, template.length)
  return parts
}

const unclosed = 'It is not closed with }}. Write &#123;&#123; for two braces that are text.'
const paths = 'A placeholder is a path such as {{client.name}} or {{items.0.title}}'

function reasonFor(path: string): string {
  if (path === '') return `It names no value. ${paths}.`
  if (/^[#/^>&!]|^else$|^(if|each|for|unless|end\w*)\s/.test(path) || path.includes('|'))
    return `There are no conditions, loops or filters. ${paths}.`
  return `${paths}: names of letters, digits, _, $ and -, joined by dots.`
}
