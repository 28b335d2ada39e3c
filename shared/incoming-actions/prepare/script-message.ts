import { describeMessage, type IncomingMessage } from '../../incoming-messages/service.ts'
import type { MessageDocument } from '../match/message-path.ts'

/** The memory of a script is bounded: of a larger message it sees the long texts cut. */
const maxCharacters = 2_000_000
const maxTextCharacters = 50_000
const maxItems = 1000

/** `$incoming`: the message as the API answers it. */
export function scriptMessage(message: IncomingMessage): MessageDocument {
  const whole = describeMessage(message)
  return JSON.stringify(whole).length <= maxCharacters ? whole : (shortened(whole) as MessageDocument)
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > maxTextCharacters ? `${value.slice(0, maxTextCharacters - 1).toWellFormed()}…` : value
  if (Array.isArray(value)) return value.slice(0, maxItems).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxItems)
      .map(([name, member]) => [name, shortened(member)]),
  )
}
