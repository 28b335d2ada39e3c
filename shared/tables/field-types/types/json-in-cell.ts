/** The value that a cell holds as JSON; a text that is no JSON as it is. */
export function jsonInCell(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
