import { holdsTooMany } from '../../../platform/http/routing/json/scan-json.ts'

/** The value that a cell holds as JSON; a text that is no JSON, or holds more than a body may, as it is. */
export function jsonInCell(text: string): unknown {
  try {
    return holdsTooMany(Buffer.from(text)) ? text : JSON.parse(text)
  } catch {
    return text
  }
}
