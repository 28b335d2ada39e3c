import { maxScriptItems, maxScriptMessageCharacters, maxScriptTextCharacters } from '../../../kernel/limits/incoming.ts'
import { describeMessage } from '../../../messages/incoming-messages/describe-message.ts'
import type { IncomingMessage } from '../../../messages/incoming-messages/message.ts'
import type { MessageDocument } from '../match/message-path.ts'

/** `$incoming`: the message as the API answers it. */
export function scriptMessage(message: IncomingMessage): MessageDocument {
  const whole = describeMessage(message)
  return JSON.stringify(whole).length <= maxScriptMessageCharacters ? whole : (shortened(whole) as MessageDocument)
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > maxScriptTextCharacters
      ? `${value.slice(0, maxScriptTextCharacters - 1).toWellFormed()}…`
      : value
  if (Array.isArray(value)) return value.slice(0, maxScriptItems).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxScriptItems)
      .map(([name, member]) => [name, shortened(member)]),
  )
}
