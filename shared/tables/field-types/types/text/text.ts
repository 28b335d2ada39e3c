import { textType } from './text-type.ts'

/** A longer text is not quoted. */
const maxQuoted = 80

export const text = textType({ description: 'A line of text.', searchWeight: 30, isTitle: true }, (value) =>
  value.length <= maxQuoted ? `"${value.replaceAll(/\s+/g, ' ')}"` : undefined,
)
