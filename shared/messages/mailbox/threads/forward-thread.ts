import { userOfAddress } from '../../../accounts/people/lookup/user-of-address.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { normalAddress } from '../../../platform/mail/normal-address.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Delivery } from '../../deliveries/state/delivery.ts'
import type { RecordRef } from '../../incoming-messages/message.ts'
import { type LivingRecord, livingRecord, messagesOfRecord } from '../../incoming-messages/messages-of-record.ts'

/** A conversation with somebody outside to whom messages about a record were forwarded. */
export interface ForwardThread {
  /** The comment that forwarded them. */
  readonly forward: number
  readonly record: RecordRef
  /** The addresses that take part in it. */
  readonly parties: readonly string[]
}

/** The conversation that a mail of ours is part of; undefined for one that forwards nothing. */
export function forwardOf({
  source,
  recipient,
  cc = [],
}: Pick<Delivery, 'source' | 'recipient' | 'cc'>): ForwardThread | undefined {
  const { forward_id: forward, model, record_id: id } = source
  if (forward === undefined || model === null || id === null) return undefined
  return { forward, record: { model, id }, parties: [recipient, ...cc] }
}

/** Where the answer to a forward belongs. `userId`: who sent it, where that is a user to whom it was forwarded. */
interface ForwardPlace extends Partial<LivingRecord> {
  readonly isInternal?: true
  readonly forward?: number
  readonly userId?: number
}

/** So many messages of a record, the newest, say who its customers are. */
const lookedThrough = 20

/**
 * Where the answer to a forward belongs: to its record, for the team alone, whoever it was passed on to. A customer who answers it,
 * because somebody drew them in, says so to the team as always.
 */
export async function answerToForward(
  store: Pick<Store, 'get' | 'getMany' | 'query'>,
  tenant: TenantRef,
  { forward, record, parties }: ForwardThread,
  sender: string | null,
): Promise<ForwardPlace> {
  const living = await livingRecord(store, tenant, record)
  const known = sender === null ? null : normalAddress(sender)
  const isParty = known !== null && parties.some((one) => normalAddress(one) === known)
  if (living && known !== null && !isParty && (await isCustomer(store, tenant, [record, living.replyTo], known)))
    return living
  const userId = isParty ? await userOfAddress(store, tenant, known) : undefined
  return { ...living, isInternal: true, forward, ...(userId !== undefined && { userId }) }
}

/** Whether somebody wrote a mail about one of some records that is no answer to a forward. */
async function isCustomer(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  records: readonly RecordRef[],
  address: string,
): Promise<boolean> {
  const read = await Promise.all(
    records.map((record) => messagesOfRecord(store, tenant, record, undefined, lookedThrough)),
  )
  return read
    .flatMap(({ messages }) => messages)
    .some(
      ({ message: { channel, fromEmail, isInternal } }) =>
        channel === 'email' && !isInternal && fromEmail !== null && normalAddress(fromEmail) === address,
    )
}
