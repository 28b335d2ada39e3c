import { NotFound } from '../../kernel/failures/faults.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { findMessage, findMessageHead } from '../../messages/incoming-messages/find-message.ts'
import type { IncomingMessage } from '../../messages/incoming-messages/message.ts'
import { putToWait } from '../../messages/incoming-messages/receive/save-message.ts'
import { ConditionFailed } from '../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../platform/store/writes/retry-with-jitter.ts'
import { joinThread } from './replies/join-thread.ts'
import type { RuleDependencies } from './run/dependencies.ts'
import { runAutomaticRules } from './run/run-automatic-rules.ts'

/** A request has 30 s; a rule rarely takes more than one. */
const leastMs = 12_000

/**
 * Runs the automatic rules for a message that have not succeeded, and answers the message. What does not fit into the
 * time of the request continues in the background. Throws NotFound.
 */
export async function reprocessMessage(
  rules: RuleDependencies,
  tenant: Tenant,
  messageId: number,
  remainingMs: () => number,
): Promise<IncomingMessage> {
  const found = await findMessage(rules, tenant, messageId)
  if (!found) throw new NotFound('incoming_message', { id: messageId })
  const message = await joinThread(rules, tenant, found)
  const isDone = await runAutomaticRules(rules, tenant, message, {
    remainingMs,
    repeatsFailed: true,
    notesDefects: true,
    leastMs,
  })
  if (!isDone) await waitAgain(rules, tenant, messageId)
  return (await findMessage(rules, tenant, messageId)) ?? message
}

/** Leaves the rest to the consumer. The feed brings it the message, so no crash loses it. */
async function waitAgain(
  { store, clock }: Pick<RuleDependencies, 'store' | 'clock'>,
  tenant: Tenant,
  id: number,
): Promise<void> {
  await retryWithJitter(clock, async (again) => {
    const head = await findMessageHead(store, tenant, id)
    if (!head) throw new NotFound('incoming_message', { id })
    try {
      await store.write(tenant, putToWait(tenant, head, clock.now()))
    } catch (error) {
      if (error instanceof ConditionFailed) again(error)
      throw error
    }
  })
}
