import * as z from 'zod'
import { say } from '../../../../kernel/failures/sentence.ts'
import { nearestWord } from '../../../../kernel/text/did-you-mean.ts'
import { Color } from '../../color.ts'
import { type AnyField, type Choice, Label, type CheckedValue } from '../../declaration.ts'

/** The members that every choice has. */
export const choiceMembers = {
  slug: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/, {
    error: 'Use letters, digits, dots, dashes and underscores, at most 63.',
  }),
  label: Label.optional(),
  color: Color.optional(),
  is_active: z.boolean().optional().meta({
    description: '`false`: kept on records that have it, refused for new values; forms leave it out.',
  }),
}

/** What types of choices have in common. `word`: what one is called. */
export const choiceType = <F extends AnyField>(word: 'option' | 'state', of: (field: F) => readonly Choice[]) => ({
  check(field: F, value: unknown, held?: unknown): CheckedValue {
    const offered = offeredBy(of(field))
    const said = { field: field.name, allowed: offered }
    if (typeof value !== 'string') return { error: say('option_not_text', said) }
    if (offered.includes(value)) return { value }
    if (!of(field).some(({ slug }) => slug === value)) {
      const candidates = choicesCalled(of(field), value).map(({ slug }) => slug)
      if (candidates.length > 1) return { error: say(`ambiguous_${word}`, { field: field.name, value, candidates }) }
      return { error: say(`no_such_${word}`, suggest(said, value)) }
    }
    return value === held ? { value } : { error: say(`inactive_${word}`, { ...said, value }) }
  },
  kind: 'text' as const,
  choices: { word, of },
  reference: { value: { type: 'string' } },
  example: (field: F) => offeredBy(of(field))[0] ?? '',
  scriptType: (field: F) =>
    of(field)
      .map(({ slug }) => JSON.stringify(slug))
      .join(' | ') || 'string',
  readCell: (field: F, text: string) => slugInFile(of(field), text),
  readMessage: (field: F, value: unknown) => slugOf(of(field), value),
  inWords: (field: F, value: unknown) =>
    typeof value === 'string' ? (of(field).find(({ slug }) => slug === value)?.label ?? value) : undefined,
})

/** The nearest of what is offered; where none is like it, all that there is. */
function suggest({ field, allowed }: { readonly field: string; readonly allowed: readonly string[] }, value: string) {
  const nearest = nearestWord(value, allowed)
  return nearest === undefined ? { field, allowed } : { field, nearest }
}

/** The slugs that a new value may have. */
export const offeredBy = (choices: readonly Choice[]): string[] =>
  choices.flatMap(({ slug, is_active }) => (is_active === false ? [] : [slug]))

/** By slug, else by slug or label in any case. */
export function slugOf(choices: readonly Choice[], value: unknown): unknown {
  const text = typeof value === 'string' ? value.trim() : typeof value === 'object' ? '' : String(value)
  const folded = text.toLowerCase()
  const found =
    choices.find(({ slug }) => slug === text) ??
    choices.find(({ slug, label }) => slug.toLowerCase() === folded || label?.trim().toLowerCase() === folded)
  return found?.slug ?? value
}

/**
 * In files people write what they see: an exact label comes before an exact slug, both before those in any case. What several
 * choices are called stays as it is, so that the check names them.
 */
export function slugInFile(choices: readonly Choice[], text: string): string {
  const [only, other] = choicesCalled(choices, text.trim())
  return only && !other ? only.slug : text
}

/** The choices with an exact label, else those with the slug, else those with either in any case. */
function choicesCalled(choices: readonly Choice[], text: string): readonly Choice[] {
  const folded = text.toLowerCase()
  const found = [
    (choice: Choice) => choice.label?.trim() === text,
    (choice: Choice) => choice.slug === text,
    ({ slug, label }: Choice) => slug.toLowerCase() === folded || label?.trim().toLowerCase() === folded,
  ].map((fits) => choices.filter(fits))
  return found.find(({ length }) => length > 0) ?? []
}

/** The indexes of items whose slug an earlier item has. */
export const repeated = (items: readonly Choice[]): number[] =>
  items.flatMap(({ slug }, index) => (items.findIndex((other) => other.slug === slug) < index ? [index] : []))
