import { defineFieldType, type MessageReaders } from '../../declaration.ts'

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
    properties: {},
    mayBeUnique: true,
    check({ name }, given) {
      const value = typeof given === 'string' ? parse(given) : undefined
      return value === undefined ? { error: `The ${name} is not a valid date.` } : { value }
    },
    kind: own.kind,
    reference: { value: { type: 'string', format: own.format } },
    example: () => own.example,
    isExampleValid: () => true,
    scriptType: () => 'string',
    inForms: 'plain',
    readCell: (_, text) => text.trim(),
    readMessage: (_, value, read) => readMessage(value, read) ?? value,
    inWords: (_, value) => (typeof value === 'string' ? value : undefined),
  })
