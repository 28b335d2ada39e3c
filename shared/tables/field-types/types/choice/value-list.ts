import * as z from 'zod'
import { maxOptions } from '../../../../kernel/limits/tables.ts'
import { defineFieldType, type FieldWith } from '../../declaration.ts'
import { choiceMembers, choiceType, offeredBy, repeated } from './choice-type.ts'

const properties = { options: z.array(z.strictObject(choiceMembers)).max(maxOptions).optional() }

export const valueList = defineFieldType({
  ...choiceType<FieldWith<typeof properties>>('option', ({ options = [] }) => options),
  description: 'One of the options of the field.',
  properties,
  mayBeUnique: true,
  checkField({ options = [] }, at, list) {
    if (options.length === 0) list.add(`${at}.options`, 'A value_list needs at least one option.')
    else if (offeredBy(options).length === 0) list.add(`${at}.options`, 'At least one option must be active.')
    for (const index of repeated(options))
      list.add(`${at}.options.${index}.slug`, `The slug ${options[index]?.slug} is used twice.`)
  },
  isExampleValid: ({ options = [] }) => options.length > 0,
  inForms: 'with options',
})
