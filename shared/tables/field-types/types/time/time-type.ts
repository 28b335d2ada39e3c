import * as z from 'zod'
import { say } from '../../../../kernel/failures/sentence.ts'
import { defineFieldType, type MessageReaders } from '../../declaration.ts'

const properties = { min: z.string().optional(), max: z.string().optional() }

/** A type of days or moments, which are stored as text of a fixed form. */
export const timeType = (
  own: {
    readonly description: string
    readonly kind: 'date' | 'datetime'
    readonly format: string
    readonly example: string
  },
  parse: (text: string) => string | undefined,
  readMessage: (value: unknown, read: MessageReaders) => string | undefined,
) =>
  defineFieldType({
    description: own.description,
    properties,
    mayBeUnique: true,
    check({ name, min, max }, given) {
      const value = typeof given === 'string' ? parse(given) : undefined
      if (value === undefined) return { error: say('not_date', { field: name }) }
      // The stored forms have one length, so their order is that of the moments.
      if (min !== undefined && value < (parse(min) ?? '')) return { error: say('too_early', { field: name, min }) }
      if (max !== undefined && value > (parse(max) ?? value)) return { error: say('too_late', { field: name, max }) }
      return { value }
    },
    checkField({ min, max }, at, list) {
      const [from, to] = [min, max].map((limit) => (limit === undefined ? undefined : parse(limit)))
      if (min !== undefined && from === undefined) list.add(`${at}.min`, 'The min is not a valid date.')
      if (max !== undefined && to === undefined) list.add(`${at}.max`, 'The max is not a valid date.')
      if (from !== undefined && to !== undefined && from > to)
        list.add(`${at}.min`, 'The min may not be greater than the max.')
    },
    kind: own.kind,
    reference: { value: { type: 'string', format: own.format } },
    example: ({ min, max }) => min ?? max ?? own.example,
    isExampleValid: () => true,
    scriptType: () => 'string',
    inForms: 'plain',
    readCell: (_, text) => text.trim(),
    readMessage: (_, value, read) => readMessage(value, read) ?? value,
    inWords: (_, value) => (typeof value === 'string' ? value : undefined),
  })
