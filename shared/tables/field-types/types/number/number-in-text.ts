import type { MessageReaders } from '../../declaration.ts'

/** The number that a text of a template is; any other text as it is. */
export const numberInText = (text: string): unknown => (Number.isFinite(Number(text)) ? Number(text) : text)

/** The number that a cell holds, with a point and without groups of digits, as a program writes it. */
export const numberInCell = (text: string): number | undefined =>
  /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(text.trim()) ? Number(text) : undefined

/** The number that a text of a message is; any other value as it is. */
export const numberInMessage = (value: unknown, read: MessageReaders): unknown =>
  typeof value === 'string' ? (read.number(value) ?? value) : value
