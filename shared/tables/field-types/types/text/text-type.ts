import * as z from 'zod'
import { say } from '../../../../kernel/failures/sentence.ts'
import { maxMappedCharacters } from '../../../../kernel/limits/incoming.ts'
import { defineFieldType } from '../../declaration.ts'
import { checkTextRules, lengthProblem, textRules } from './text-rules.ts'

/** Whether `search` looks into a field of texts. */
export const searchable = z.boolean().optional()
const properties = { searchable, ...textRules }

/** A type of texts. `searchWeight`: the rank of a word that occurs once. */
export const textType = (
  { searchWeight, ...own }: { readonly description: string; readonly searchWeight: number; readonly isTitle?: true },
  inWords: (value: string) => string | undefined = () => undefined,
) =>
  defineFieldType({
    ...own,
    properties,
    mayBeUnique: true,
    check(field, value) {
      if (typeof value !== 'string') return { error: say('not_text', { field: field.name }) }
      const error = lengthProblem(field, value)
      return error === undefined ? { value } : { error }
    },
    checkField: checkTextRules,
    kind: 'text',
    mayBeLong: true,
    searchWeight: ({ searchable: isSearched = true }) => (isSearched ? searchWeight : undefined),
    reference: {
      value: { type: 'string' },
      input: ({ min_length, max_length, required }) => ({
        type: 'string',
        // A text that is not required may also be empty.
        ...(min_length !== undefined && required && { minLength: min_length }),
        ...(max_length !== undefined && { maxLength: max_length }),
      }),
      demanded: { minLength: 1 },
    },
    example: ({ name, label = name, min_length = 0, max_length }) =>
      `Example ${label}`.padEnd(min_length, '.').slice(0, max_length),
    isExampleValid: ({ pattern }) => pattern === undefined,
    scriptType: () => 'string',
    inForms: 'plain',
    readCell: (_, text) => text,
    // A text without a limit of its own is cut, so that a long message still fits into a record.
    readMessage: ({ max_length = maxMappedCharacters }, value) => cut(textOf(value), max_length),
    inWords: (_, value) => (typeof value === 'string' ? inWords(value) : undefined),
  })

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.map(String).join(', ')
  return typeof value === 'object' ? JSON.stringify(value).toWellFormed() : String(value)
}

/** At most so many characters, the last of which says that more followed. */
function cut(text: string, maximum: number): string {
  if (text.length <= maximum) return text
  const characters = Array.from(text.slice(0, maximum * 2 + 2))
  return characters.length <= maximum ? text : `${characters.slice(0, maximum - 1).join('')}…`
}
