import type { Tenant } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { heldKey, heldNoticeKey } from '../../platform/store/keys/messages/bell.ts'
import type { Store } from '../../platform/store/store.ts'
import { isNew } from '../../platform/store/writes/conditions.ts'
import { TransactionRefused } from '../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../platform/store/writes/retry-with-jitter.ts'
import type { Notice } from '../bell/bell-row.ts'
import type { Channel } from '../channels/channel.ts'
import { userRecipient } from '../deliveries/expand/recipient.ts'
import { prepareIntent, type Send } from '../deliveries/expand/write-intent.ts'
import { batchUuid, countHeld, type HeldType, readHeld } from '../preferences/held-notices.ts'

interface Dependencies {
  readonly store: Pick<Store, 'get' | 'transact'>
  readonly clock: Clock
}

/** A notice that was held back is found by its batch for longer than any batch waits. */
const keptSeconds = 14 * 86_400

/** How a notice is sent, at once or with others: a repeat under the same uuid does neither again. */
export const sendOf = (
  { userId, model, recordId, isInternal, answers }: Notice,
  uuid: string,
  channel: Pick<Channel, 'id' | 'type'>,
): Omit<Send, 'content'> => ({
  uuid,
  channel,
  recipients: [userRecipient(userId)],
  source: { model, record_id: recordId, ...(isInternal && { is_internal: isInternal }) },
  ...(answers !== undefined && { answers }),
})

/**
 * Holds a notice back: it becomes part of the batch of its reader that leaves next, whose first notice asks for the delivery
 * that waits. One transaction, so that no notice is in a batch that has left or in two.
 */
export async function holdNotice(
  { store, clock }: Dependencies,
  tenant: Tenant,
  channel: Pick<Channel, 'id' | 'type'>,
  type: HeldType,
  notice: Notice,
  uuid: string,
): Promise<void> {
  const { userId, title, text, url, category, task, isOfProcess, createdAtMs } = notice
  const said = { url, category, askedAtMs: createdAtMs, ...(task && { task }), ...(isOfProcess && { isOfProcess }) }
  const { write: held } = prepareIntent(clock, tenant, {
    ...sendOf(notice, uuid, channel),
    content: { subject: title, body: text, notice: said },
    isHeld: true,
  })
  await retryWithJitter(clock, async (again) => {
    const waiting = readHeld(await store.get(tenant, heldKey(tenant, userId, type)))
    const batch = batchUuid(tenant, userId, type, waiting.batch)
    const member = {
      ...heldNoticeKey(tenant, batch, uuid),
      kind: 'held_notice',
      v: 1,
      expires_at: Math.floor(createdAtMs / 1000) + keptSeconds,
    }
    const { write: leaving } = prepareIntent(clock, tenant, {
      uuid: batch,
      channel,
      recipients: [userRecipient(userId)],
      content: { body: '', held: { userId, type, batch: waiting.batch } },
      source: { model: null, record_id: null },
    })
    const writes = [
      { ...held, if: isNew },
      { put: member },
      countHeld(tenant, userId, type, waiting),
      ...(waiting.count === 0 ? [{ ...leaving, if: isNew }] : []),
    ]
    try {
      await store.transact(tenant, writes, clock.uuid())
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error
      // It was sent or held back before.
      if (error.reasons[0]?.failed) return
      // Others were added meanwhile, or the batch has left.
      return again(error)
    }
  })
}
