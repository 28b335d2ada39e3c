import { type Fault, Invalid, NotFound } from '../../../kernel/failures/faults.ts'
import { maxRuleFailureBytes } from '../../../kernel/limits/incoming.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { findMessageHead } from '../../../messages/incoming-messages/find-message.ts'
import type { MessageHead, RuleOutcome } from '../../../messages/incoming-messages/message.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import type { RuleDependencies } from './dependencies.ts'

/** Somebody else noted something on the message meanwhile. */
export class MessageChanged extends Error {}

/** What a rule did with a message. `isNew`: just now, and not before. */
export interface NotedOutcome {
  readonly outcome: RuleOutcome
  readonly isNew: boolean
}

/**
 * Notes what a rule did with a message, once: `act` writes the outcome with `noteOutcome` in the transaction of what it
 * does. When the message has changed since it was read, or `knownOf` finds that it was done already, nothing is done twice.
 */
export async function recordOutcome(
  { store, clock }: Pick<RuleDependencies, 'store' | 'clock'>,
  tenant: TenantRef,
  messageId: number,
  actionId: number,
  act: (head: MessageHead) => Promise<RuleOutcome>,
  knownOf: (head: MessageHead) => RuleOutcome | undefined = (head) => successOf(head, actionId),
): Promise<NotedOutcome> {
  return retryWithJitter(clock, async (again) => {
    const head = await findMessageHead(store, tenant, messageId)
    if (!head) throw new NotFound('incoming_message', { id: messageId })
    const known = knownOf(head)
    if (known) return { outcome: known, isNew: false }
    try {
      return { outcome: await act(head), isNew: true }
    } catch (error) {
      if (error instanceof TransactionRefused || error instanceof MessageChanged) return again(error)
      throw error
    }
  })
}

/** What a rule did with a message, unless it failed. */
export const successOf = ({ outcomes }: Pick<MessageHead, 'outcomes'>, actionId: number): RuleOutcome | undefined =>
  outcomes.find((outcome) => outcome.actionId === actionId && outcome.kind !== 'failed')

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
