import * as z from 'zod'
import { type Problem, say } from '../../../../kernel/failures/sentence.ts'
import { defineFieldType, type MessageReaders } from '../../declaration.ts'

/** The least and the greatest number that a field takes. */
export const bounds = { min: z.number().optional(), max: z.number().optional() }

/** A type of numbers. `problem`: why a finite number does not belong to it. */
export const numberType = (
  description: string,
  jsonType: 'integer' | 'number',
  problem: (name: string, value: number) => Problem | undefined,
) =>
  defineFieldType({
    description,
    properties: bounds,
    mayBeUnique: true,
    check({ name, min, max }, value) {
      if (typeof value !== 'number' || !Number.isFinite(value)) return { error: say('not_number', { field: name }) }
      const error = problem(name, value)
      if (error !== undefined) return { error }
      if (min !== undefined && value < min) return { error: say('too_small', { field: name, min }) }
      if (max !== undefined && value > max) return { error: say('too_great', { field: name, max }) }
      // -0 is valid JSON, but in an index it would differ from 0.
      return { value: value === 0 ? 0 : value }
    },
    checkField({ min, max }, at, list) {
      if (min !== undefined && max !== undefined && min > max)
        list.add(`${at}.min`, 'The min may not be greater than the max.')
    },
    kind: 'number',
    reference: {
      value: { type: jsonType },
      input: ({ min, max }) => ({
        type: jsonType,
        ...(min !== undefined && { minimum: min }),
        ...(max !== undefined && { maximum: max }),
      }),
    },
    example: ({ min = 1, max = Infinity }) => Math.min(Math.max(1, min), max),
    isExampleValid: () => true,
    scriptType: () => 'number',
    inForms: 'plain',
    readText: numberInText,
    readCell: (_, text) => numberInCell(text) ?? text,
    readMessage: (_, value, read) => numberInMessage(value, read),
    inWords: (_, value) => (typeof value === 'number' ? String(value) : undefined),
  })

/** The number that a text of a template is; any other text as it is. */
export const numberInText = (text: string): unknown => (Number.isFinite(Number(text)) ? Number(text) : text)

/** The number that a cell holds, with a point and without groups of digits, as a program writes it. */
export const numberInCell = (text: string): number | undefined =>
  /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(text.trim()) ? Number(text) : undefined

/** The number that a text of a message is; any other value as it is. */
export const numberInMessage = (value: unknown, read: MessageReaders): unknown =>
  typeof value === 'string' ? (read.number(value) ?? value) : value
