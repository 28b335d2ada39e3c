import { type Fault, Invalid } from '../../../kernel/failures/faults.ts'
import { maxRuleFailureBytes } from '../../../kernel/limits/incoming.ts'
import type { RuleOutcome } from '../../../messages/incoming-messages/message.ts'

/** How a failure is noted on the message: the fields and why, or the script's own text and where it stands. */
export function failureOf(error: Fault): Pick<RuleOutcome, 'message' | 'line' | 'column'> {
  const fields = error instanceof Invalid && error.code !== 'rule_failed' ? Object.values(error.errors).flat() : []
  const text = fields.length > 0 ? fields.join(' ') : error.message
  const { line, column } = error.details ?? {}
  return {
    message: cutToStored(text.slice(0, maxRuleFailureBytes).toWellFormed()),
    ...(typeof line === 'number' && { line }),
    ...(typeof column === 'number' && { column }),
  }
}

/** The beginning of a text whose JSON has at most so many bytes: what is escaped there takes up to six. */
function cutToStored(text: string): string {
  let bytes = 2
  let end = 0
  for (const character of text) {
    bytes += Buffer.byteLength(JSON.stringify(character)) - 2
    if (bytes > maxRuleFailureBytes) break
    end += character.length
  }
  return text.slice(0, end)
}
