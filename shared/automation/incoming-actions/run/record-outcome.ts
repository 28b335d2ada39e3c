import { NotFound } from '../../../kernel/failures/faults.ts'
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
