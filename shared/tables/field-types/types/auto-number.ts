import * as z from 'zod'
import { say } from '../../../kernel/failures/sentence.ts'
import { maxNumberPrefixCharacters, maxPaddedDigits, maxStartNumber } from '../../../kernel/limits/tables.ts'
import { defineFieldType, type FieldWith, isOneLine } from '../declaration.ts'
import { searchable } from './text/text-type.ts'

const properties = {
  searchable,
  prefix: z
    .string()
    .max(maxNumberPrefixCharacters)
    .refine(isOneLine, { error: 'The prefix is one line, without control characters: it stands in subjects of mails.' })
    .optional()
    .meta({ description: 'Before the number: `INC-`.' }),
  digits: z
    .int()
    .min(1)
    .max(maxPaddedDigits)
    .optional()
    .meta({ description: 'At least so many digits, with zeros in front; default: 1.' }),
  start: z
    .int()
    .min(1)
    .max(maxStartNumber)
    .optional()
    .meta({ description: 'The number of the record with the id 1; default: 1.' }),
}

/** A number is looked for as words are. */
const searchWeight = 30

/**
 * The number follows from the record's id, which no other record has or ever had. So it costs nothing, and two records
 * have the same number neither after a crash nor in parallel (docs/decisions/0086).
 */
const numberOf = ({ start = 1 }: Pick<FieldWith<typeof properties>, 'start'>, id: number): string =>
  String(start - 1 + id)

export const autoNumber = defineFieldType({
  description:
    'A number such as `INC-000042` that the service gives a new record; it is never changed and never used twice.',
  properties,
  isDerived: true,
  permanent: { start: 'start' },
  mayBeUnique: true,
  check: ({ name }, value) =>
    typeof value === 'string' ? { value } : { error: say('set_by_service', { field: name }) },
  checkField(field, at, list) {
    // The number must be told from the prefix: A1 and 2 would be the same as A and 12.
    if (/\d$/.test(field.prefix ?? '')) list.add(`${at}.prefix`, 'The prefix may not end in a digit.')
    if (field.default !== undefined && field.default !== null)
      list.add(`${at}.default`, 'An auto_number takes no default: the service sets it.')
  },
  generate(field, id, kept) {
    const number = numberOf(field, id)
    if (typeof kept === 'string' && /\d*$/.exec(kept)?.[0].replace(/^0+/, '') === number) return kept
    return `${field.prefix ?? ''}${number.padStart(field.digits ?? 1, '0')}`
  },
  kind: 'numbered',
  searchWeight: ({ searchable: isSearched = true }) => (isSearched ? searchWeight : undefined),
  reference: { value: { type: 'string', readOnly: true }, hidesDefault: true },
  example: (field) => `${field.prefix ?? ''}${numberOf(field, 42).padStart(field.digits ?? 1, '0')}`,
  scriptType: () => 'string',
  readCell: (_, text) => text.trim(),
  inWords: (_, value) => (typeof value === 'string' ? value : undefined),
})
