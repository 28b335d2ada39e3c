import { createHash } from 'node:crypto'
import * as z from 'zod'
import { maxFieldNameCharacters, maxSearchCharacters, maxSortKeys } from '../../../kernel/limits/lists.ts'
import { didYouMean, listed, shown } from '../../../kernel/text/did-you-mean.ts'
import { foldText } from '../../../kernel/text/fold-text.ts'

/** A member by which a list is sorted. */
export interface SortKey {
  readonly by: string
  readonly isDescending: boolean
}

/** What a list is searched for: words, folded, that must all occur in these members. */
export interface Search {
  readonly words: readonly string[]
  readonly members: readonly string[]
}

/** The parameter `sort` of a list whose rows have these members. */
export const sortBy = (members: readonly string[]) =>
  z
    .string()
    .max(maxSortKeys * maxFieldNameCharacters)
    .transform((text, context): readonly SortKey[] | undefined => {
      const names = text.split(',').map((name) => name.trim())
      const given = names.filter((name) => name !== '')
      if (given.length > maxSortKeys) {
        context.addIssue(`The sort may not have more than ${maxSortKeys} keys.`)
        return z.NEVER
      }
      for (const name of given) {
        const problem = sortProblem(name.replace(/^-/, ''), members)
        if (problem !== undefined) context.addIssue(problem)
      }
      if (given.length === 0) return undefined
      return given.map((name) => ({ by: name.replace(/^-/, ''), isDescending: name.startsWith('-') }))
    })
    .optional()
    .meta({
      description: `Names with commas between them, \`-\` for descending: ${members.map((name) => `\`${name}\``).join(', ')}. \`id\` is always the last key; rows without a value come last.`,
      type: 'string',
    })

function sortProblem(name: string, members: readonly string[]): string | undefined {
  if (name === '') return 'The sort has a - without a name. Write it before a name, such as -id.'
  if (members.includes(name)) return undefined
  return `The list cannot be sorted by ${shown(name)}.${didYouMean(name, members) || ` Known are: ${listed(members)}.`}`
}

/** The parameter `search` of a list with these texts. */
export const searchIn = (members: readonly string[]) =>
  searchText
    .transform((text): Search | undefined => {
      const words = wordsOf(text)
      return words.length === 0 ? undefined : { words, members }
    })
    .optional()
    .meta({
      description: `Words that must all occur, in any case, in ${members.map((name) => `\`${name}\``).join(', ')}.`,
      type: 'string',
    })

const searchText = z.string().max(maxSearchCharacters)

/** The parameter `sort` of a list of rows that is read by id. */
export const rowSort = z
  .enum(['id', '-id'], { error: 'This list is sorted by its ids alone: -id is newest first, id oldest first.' })
  .optional()
  .meta({ description: '`-id`: newest first, as when it is left out; `id`: oldest first.' })

/** The parameter `search` of such a list: the words. `searched`: what it looks into. */
export const rowSearch = (searched: string) =>
  searchText
    .transform((text): readonly string[] | undefined => {
      const words = wordsOf(text)
      return words.length === 0 ? undefined : words
    })
    .optional()
    .meta({ description: `Words that must all occur, in any case, in ${searched}.`, type: 'string' })

const wordsOf = (text: string): readonly string[] =>
  foldText(text)
    .split(/\s+/)
    .filter((word) => word !== '')

/** Whether all words occur in these texts. */
export function holdsWords(words: readonly string[], texts: readonly (string | null | undefined)[]): boolean {
  const folded = foldText(texts.filter((text) => typeof text === 'string').join('\n'))
  return words.every((word) => folded.includes(word))
}

type Values = Readonly<Record<string, unknown>>

/** Whether a row has what a list is searched for. */
export const isFound = ({ words, members }: Search, row: object): boolean =>
  holdsWords(
    words,
    members.map((name) => (row as Values)[name] as string | null | undefined),
  )

/** Compares rows as `sort` says; `id` is the last key, in the direction of the last one given. */
export function compareBy(keys: readonly SortKey[]): (a: object, b: object) => number {
  const all = keys.some(({ by }) => by === 'id')
    ? keys
    : [...keys, { by: 'id', isDescending: keys.at(-1)?.isDescending === true }]
  return (a, b) => {
    for (const { by, isDescending } of all) {
      const order = compareValues((a as Values)[by] ?? null, (b as Values)[by] ?? null, isDescending ? -1 : 1)
      if (order !== 0) return order
    }
    return 0
  }
}

const texts = new Intl.Collator('en')

/** Compares two values of one member; none comes last in both directions. */
function compareValues(a: unknown, b: unknown, direction: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const order = typeof a === 'string' ? texts.compare(a, String(b)) : Number(a) - Number(b)
  return direction * order
}

/** Distinguishes the cursors of other orders and searches; empty without both. */
export const markOf = ({ sort, search }: { readonly sort?: unknown; readonly search?: unknown }): string =>
  sort === undefined && search === undefined
    ? ''
    : createHash('sha256')
        .update(JSON.stringify([sort, search]))
        .digest('base64url')
        .slice(0, 16)
