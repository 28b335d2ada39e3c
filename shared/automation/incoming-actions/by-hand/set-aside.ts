import type { Caller } from '../../../kernel/principal.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { findMessageHead, requireMessage } from '../../../messages/incoming-messages/find-message.ts'
import { isProcessed } from '../../../messages/incoming-messages/message.ts'
import { changeMessage, noteOutcome } from '../../../messages/incoming-messages/receive/save-message.ts'
import type { Write } from '../../../platform/store/store.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import type { RuleDependencies } from '../run/dependencies.ts'
import { MessageChanged } from '../run/record-outcome.ts'
import { isSetAside, outcomeByHand } from './outcome-by-hand.ts'

type Dependencies = Pick<RuleDependencies, 'store' | 'clock' | 'fetchObject'>

/**
 * Sets a message aside that nothing follows from, or takes that back (`isAside: false`). One that a rule dealt with is left
 * as it is. Repeatable. Throws NotFound for a message that the caller may not read.
 */
export async function setMessageAside(
  rules: Dependencies,
  caller: Caller,
  messageId: number,
  isAside: boolean,
): Promise<void> {
  const { store, clock } = rules
  const { tenant } = caller
  await requireMessage(rules, caller, messageId)
  await retryWithJitter(clock, async (again) => {
    const head = await findMessageHead(store, tenant, messageId)
    if (!head || isAside === isProcessed(head)) return
    const writes: Write[] = isAside
      ? noteOutcome(tenant, head, outcomeByHand(isoTime(clock.now())))
      : [changeMessage(tenant, head, { outcomes: head.outcomes.filter((outcome) => !isSetAside(outcome)) })]
    if (!isAside && !head.outcomes.some(isSetAside)) return
    if (!(await wasApplied(store.transact(tenant, writes, clock.uuid())))) again(new MessageChanged())
  })
}
