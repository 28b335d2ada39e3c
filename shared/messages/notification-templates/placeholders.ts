import type { Warning } from '../../kernel/failures/warning.ts'
import { maxPlaceholderCharacters } from '../../kernel/limits/messages.ts'
import { didYouMean } from '../../kernel/text/did-you-mean.ts'
import { standardFieldsByName } from '../../lists/query/grammar/field.ts'
import type { TemplateContent } from './translation.ts'

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

/** Whether a text of a template, in any language, may name a value. */
export const usesPlaceholder = ({ subject, body, translations }: TemplateContent, path: string): boolean =>
  [{ subject, body }, ...Object.values(translations)].some(
    (texts) => texts.subject.includes(path) || texts.body.includes(path),
  )

/** What every sender gives a template about the record, beside parameters of its own. */
const givenByAll = ['record', 'user', 'url', 'params'] as const
/** The members of `user`: who did what is notified. */
const userMembers = ['id', 'name', 'email'] as const
/** The service adds them where a text uses them. */
const links = ['record_token', 'follow_url'] as const

/** What the sender of a template gives it. */
interface GivenVariables {
  /** Parameters of its own; undefined when they are known only when it sends. */
  readonly names: readonly string[] | undefined
  /** The fields of the record; undefined when they are not known. */
  readonly fields: Iterable<string> | undefined
}

/** The paths that the texts of a template name, in any language, once each. */
export const placeholdersOf = ({ subject, body, translations }: TemplateContent): string[] => [
  ...new Set(
    [{ subject, body }, ...Object.values(translations)]
      .flatMap((texts) => [...parseTemplate(texts.subject), ...parseTemplate(texts.body)])
      .flatMap((part) => (part.kind === 'placeholder' ? [part.path.join('.')] : [])),
  ),
]

/** Warnings for the values that a template names and its sender does not give: they are empty in what is sent. */
export function missingVariables(
  code: string,
  placeholders: readonly string[],
  { names, fields }: GivenVariables,
): Pick<Warning, 'code' | 'message'>[] {
  const given = [...givenByAll, ...(names ?? []), ...links]
  const known = fields && new Set([...fields, ...standardFieldsByName.keys(), 'data'])
  const words = [
    ...given,
    ...[...(known ?? [])].map((name) => `record.${name}`),
    ...userMembers.map((name) => `user.${name}`),
  ]
  const isGiven = (path: string): boolean => {
    const [name = '', member, inner] = path.replace(/(?<=.)\.raw$/, '').split('.')
    if (names?.includes(name)) return true
    if (name === 'record' && member !== undefined && known)
      return known.has(member) && (member !== 'data' || inner === undefined || known.has(inner))
    if (name === 'user' && member !== undefined) return (userMembers as readonly string[]).includes(member)
    return names === undefined || given.includes(name)
  }
  return placeholders
    .filter((path) => !isGiven(path))
    .map((path) => ({
      code: 'missing_variable',
      message: `The template ${code} names {{${path}}}, which is not given here.${advice(path)}`,
    }))

  function advice(path: string): string {
    const [last = ''] = path.split('.').slice(-1)
    const member = [`record.${last}`, `user.${last}`].find((one) => one !== path && words.includes(one))
    return member ? ` Did you mean ${member}?` : didYouMean(path, words) || ` There are ${given.join(', ')}.`
  }
}
