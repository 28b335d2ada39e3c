import { changeMessage, findMessage, findMessageHead, type IncomingMessage } from '../incoming-messages/service.ts'
import { NotFound } from '../kernel/faults.ts'
import type { Tenant } from '../kernel/tenancy.ts'
import { ConditionFailed } from '../store/refusals.ts'
import { retryWithJitter } from '../store/retry-with-jitter.ts'
import type { RepeatDependencies } from './run/dependencies.ts'
import { runAutomaticRules } from './run/run-automatic-rules.ts'

/** A request has 30 s; a rule rarely takes more than one. */
const leastMs = 12_000

/**
 * Runs the automatic rules for a message that have not succeeded, and answers the message. What does not fit into the
 * time of the request goes on in the background. Throws NotFound.
 */
export async function reprocessMessage(
  deps: RepeatDependencies,
  tenant: Tenant,
  messageId: number,
  remainingMs: () => number,
): Promise<IncomingMessage> {
  const message = await findMessage(deps, tenant, messageId)
  if (!message) throw new NotFound('incoming_message', { id: messageId })
  const isDone = await runAutomaticRules(deps, tenant, message, {
    remainingMs,
    repeatsFailed: true,
    notesDefects: true,
    leastMs,
  })
  if (!isDone) {
    await waitAgain(deps, tenant, messageId)
    await deps.continueLater(tenant, message)
  }
  return (await findMessage(deps, tenant, messageId)) ?? message
}

/** The consumer takes messages that wait; it leaves alone the rules that have an outcome, so failed ones lose theirs. */
async function waitAgain(
  { store, clock }: Pick<RepeatDependencies, 'store' | 'clock'>,
  tenant: Tenant,
  id: number,
): Promise<void> {
  await retryWithJitter(clock, async (again) => {
    const head = await findMessageHead(store, tenant, id)
    if (!head) throw new NotFound('incoming_message', { id })
    const outcomes = head.outcomes.filter(({ kind }) => kind !== 'failed')
    try {
      await store.write(tenant, changeMessage(tenant, head, { isWaiting: true, outcomes }))
    } catch (error) {
      if (error instanceof ConditionFailed) again(error)
      throw error
    }
  })
}
