const shape = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i
const maxCharacters = 400

/** The number that a text is, as sender ids and form values hold them; undefined for any other text. */
export function readNumber(text: string): number | undefined {
  if (text.length > maxCharacters || !shape.test(text.trim())) return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}
