import { log, mayFail } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { Throttled } from '../../../kernel/throttling/throttled.ts'
import { findMessage, findMessageHead } from '../../../messages/incoming-messages/find-message.ts'
import type { MessageHead } from '../../../messages/incoming-messages/message.ts'
import { changeMessage } from '../../../messages/incoming-messages/receive/save-message.ts'
import { waitingMessages } from '../../../messages/incoming-messages/waiting-messages.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { answeredFirst, joinThread } from '../replies/join-thread.ts'
import type { ProcessingDependencies } from './dependencies.ts'
import { runAutomaticRules } from './run-automatic-rules.ts'

/** A rule may take this long: its script, the hooks of what it writes, and the writes. */
const ruleMs = 30_000
/** After this long every attempt to deal with a message is over: it no longer holds up those after it. */
const heldUpMs = 60 * 60_000

interface ProcessingOptions {
  readonly remainingMs: () => number
  /** An earlier attempt failed; what fails again is noted, so that it does not hold up the conversation. */
  readonly isRepeat: boolean
}

/**
 * Runs the automatic rules for a message that came in, and before it for those of its conversation that still wait. A
 * message whose rules have run is left alone, so repeats do nothing.
 */
export async function processMessage(
  services: ProcessingDependencies,
  tenant: Tenant,
  messageId: number,
  options: ProcessingOptions,
): Promise<void> {
  const addressed = await findMessageHead(services.store, tenant, messageId)
  if (!addressed?.isWaiting) return
  const isDone =
    (await processEarlier(services, tenant, addressed, options)) &&
    (await processOne(services, tenant, messageId, options))
  // The addressed message also deals with those before it. Those that are done are not read again.
  if (!isDone) await services.continueLater(tenant, addressed)
}

/** Deals with the messages before the addressed one. Answers false when the time did not suffice for all. */
async function processEarlier(
  services: ProcessingDependencies,
  tenant: Tenant,
  addressed: MessageHead,
  options: ProcessingOptions,
): Promise<boolean> {
  const oldest = services.clock.now() - heldUpMs
  for await (const head of waitingMessages(services.store, tenant, addressed)) {
    if (options.remainingMs() < ruleMs) return false
    if (head.waitingSinceMs < oldest) {
      await giveUp(services, tenant, head)
      continue
    }
    if (!(await processOneEarlier(services, tenant, head, options))) return false
  }
  return true
}

/** An earlier message has attempts of its own, and must not use up those of the addressed one. */
async function processOneEarlier(
  services: ProcessingDependencies,
  tenant: Tenant,
  head: MessageHead,
  options: ProcessingOptions,
): Promise<boolean> {
  try {
    return await processOne(services, tenant, head.id, options)
  } catch (error) {
    if (!options.isRepeat) throw error
    log.error('the rules for an earlier message could not be run', error, { message: head.id })
    // A busy provider may serve the message before the next one of the conversation.
    if (!(error instanceof Throttled)) await giveUp(services, tenant, head)
    return true
  }
}

/**
 * Lets the later messages of a conversation pass one that cannot be dealt with, so that it neither fails nor delays each
 * of them. It keeps waiting, for its own attempts or an operator.
 */
async function giveUp({ store }: ProcessingDependencies, tenant: Tenant, { id }: MessageHead): Promise<void> {
  await mayFail('let later messages pass one that waits', async () => {
    const head = await findMessageHead(store, tenant, id)
    if (!head?.isWaiting) return
    log.warn('later messages pass one that cannot be dealt with', { tenant_id: tenant.id, message: id })
    await wasApplied(store.write(tenant, changeMessage(tenant, head, { isGivenUp: true })))
  })
}

/** Answers false when the time did not suffice for all rules. */
async function processOne(
  services: ProcessingDependencies,
  tenant: Tenant,
  id: number,
  { remainingMs, isRepeat }: ProcessingOptions,
): Promise<boolean> {
  const message = await findMessage(services, tenant, id)
  // Somebody else may have dealt with it since.
  if (!message?.isWaiting) return true
  const first = await answeredFirst(services, tenant, message)
  if (first && !(await processOneEarlier(services, tenant, first, { remainingMs, isRepeat }))) return false
  const prepared = await services.prepare(tenant, await joinThread(services, tenant, message))
  if (prepared.kind === 'done') return true
  const { userId = message.userId } = prepared
  const complete = { ...prepared.message, ...(userId !== undefined && { userId }) }
  return runAutomaticRules(services, tenant, complete, { remainingMs, leastMs: ruleMs, notesDefects: isRepeat })
}
