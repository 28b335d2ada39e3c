import * as z from 'zod'
import { maxOptions } from '../../../../kernel/limits/tables.ts'
import { defineFieldType, type ErrorList, type FieldWith } from '../../declaration.ts'
import { choiceMembers, choiceType, offeredBy, repeated } from './choice-type.ts'

/** What fields with options take. */
export const optionProperties = { options: z.array(z.strictObject(choiceMembers)).max(maxOptions).optional() }

export const valueList = defineFieldType({
  ...choiceType<FieldWith<typeof optionProperties>>('option', ({ options = [] }) => options),
  description: 'One of the options of the field.',
  properties: optionProperties,
  mayBeUnique: true,
  checkField: (field, at, list) => checkOptions('value_list', field, at, list),
  isExampleValid: ({ options = [] }) => options.length > 0,
  inForms: 'with options',
})

/** Refuses a field that offers no option, or has one twice. */
export function checkOptions(
  type: string,
  { options = [] }: FieldWith<typeof optionProperties>,
  at: string,
  list: ErrorList,
): void {
  if (options.length === 0) list.add(`${at}.options`, `A ${type} needs at least one option.`)
  else if (offeredBy(options).length === 0) list.add(`${at}.options`, 'At least one option must be active.')
  for (const index of repeated(options))
    list.add(`${at}.options.${index}.slug`, `The slug ${options[index]?.slug} is used twice.`)
}
