import type { MessageReaders } from '../../declaration.ts'

/** The number that a text of a template is; any other text as it is. */
export const numberInText = (text: string): unknown => (Number.isFinite(Number(text)) ? Number(text) : text)

/** The number that a text of a message is; any other value as it is. */
export const numberInMessage = (value: unknown, read: MessageReaders): unknown =>
  typeof value === 'string' ? (read.number(value) ?? value) : value
