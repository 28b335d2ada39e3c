import { findMessage, findMessageHead, waitingMessages } from '../../incoming-messages/service.ts'
import { mayFail } from '../../kernel/log.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { ProcessingDependencies } from './dependencies.ts'
import { runAutomaticRules } from './run-automatic-rules.ts'

/** A rule may take this long: its script, the hooks of what it writes, and the writes. */
const ruleMs = 30_000
/** After this long every attempt to deal with a message is over: it no longer holds up those after it. */
const heldUpMs = 60 * 60_000

/**
 * Runs the automatic rules for a message that came in, and before it for those of its conversation that still wait. A
 * message whose rules have run is left alone, so repeats do nothing. `isRepeat`: an earlier attempt failed; what fails
 * again is noted, so that it does not hold up the conversation.
 */
export async function processMessage(
  deps: ProcessingDependencies,
  tenant: Tenant,
  messageId: number,
  options: { readonly remainingMs: () => number; readonly isRepeat: boolean },
): Promise<void> {
  const addressed = await findMessageHead(deps.store, tenant, messageId)
  if (!addressed?.isWaiting) return
  const oldest = deps.clock.now() - heldUpMs
  for (const { id, receivedAtMs } of await waitingMessages(deps.store, tenant, addressed)) {
    const isEarlier = id !== messageId
    if (isEarlier && receivedAtMs < oldest) continue
    const deal = () => processOne(deps, tenant, id, options)
    // An earlier message has attempts of its own, and must not use up those of this one.
    const isDone =
      isEarlier && options.isRepeat ? await mayFail('run the rules for an earlier message', deal) : await deal()
    if (isDone !== false) continue
    // The addressed message also deals with those before it.
    return deps.continueLater(tenant, addressed)
  }
}

/** Answers false when the time did not suffice for all rules. */
async function processOne(
  deps: ProcessingDependencies,
  tenant: Tenant,
  id: number,
  { remainingMs, isRepeat }: { readonly remainingMs: () => number; readonly isRepeat: boolean },
): Promise<boolean> {
  const message = await findMessage(deps, tenant, id)
  // Somebody else may have dealt with it since.
  if (!message?.isWaiting) return true
  const prepared = await deps.prepare(tenant, message)
  if (prepared.kind === 'done') return true
  const { userId = message.userId } = prepared
  const complete = { ...prepared.message, ...(userId !== undefined && { userId }) }
  return runAutomaticRules(deps, tenant, complete, { remainingMs, leastMs: ruleMs, notesDefects: isRepeat })
}
