import { TooLarge } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { fitsAnswer } from '../../../platform/http/routing/answer-size.ts'
import { messageOnceKey } from '../../../platform/store/keys/messages/incoming.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import { messageHolder } from '../../../tables/files/claim-rows.ts'
import { claimWrites } from '../../../tables/files/claims.ts'
import { type MessageHead, messageSequence, type NewMessage } from '../message.ts'
import { packMessage } from '../rows/content-row.ts'
import { messageItem } from '../rows/message-row.ts'
import { linkMessage, onceItem } from '../rows/message-rows.ts'

export interface StoringDependencies {
  readonly store: Store
  readonly clock: Pick<Clock, 'now' | 'uuid'>
  readonly putObject: (key: string, body: Uint8Array) => Promise<void>
}

/**
 * Throws TooLarge for a message that no answer could hold: quotes, backslashes and control characters make its JSON
 * longer than what was sent.
 */
export function requireReadable({ body, payload }: Pick<NewMessage, 'body' | 'payload'>): void {
  if (!fitsAnswer({ body, payload }))
    throw new TooLarge('The message is too large as JSON: with escapes it has more than 5.5 MB.')
}

/** `known`: the same message was stored before. */
type Stored = { readonly kind: 'stored'; readonly id: number } | { readonly kind: 'known' }

/**
 * Stores a message once, in one transaction with the claims of its files and `extraWrites`, which may be made of the stored
 * message; the feed takes it to the rules. Throws TransactionRefused when a condition of `extraWrites` fails, and nothing is stored then.
 */
export async function storeMessage(
  { store, clock, putObject }: StoringDependencies,
  tenant: TenantRef,
  message: NewMessage,
  extraWrites: readonly Write[] | ((head: MessageHead) => readonly Write[]) = [],
): Promise<Stored> {
  const { onceKey, attachments, replyTo, body, bodyNew, payload } = message
  const [known, id] = await Promise.all([
    onceKey === undefined ? undefined : store.get(tenant, messageOnceKey(tenant, onceKey)),
    reserveIds(store, tenant, messageSequence, 1),
  ])
  if (known) return { kind: 'known' }
  const packed = packMessage(tenant, id, clock.uuid(), {
    body,
    ...(bodyNew !== undefined && { bodyNew }),
    payload: { ...payload, ...(replyTo && { reply_to: replyTo }) },
    attachments,
  })
  if (packed.object) await putObject(packed.object.key, packed.object.body)
  const paths = new Set(attachments.flatMap(({ path }) => path ?? []))
  const holder = { model: messageHolder, id, version: 1 }
  const head = headOf(id, message, clock.now())
  const writes: Write[] = [
    ...(onceKey === undefined ? [] : [{ put: onceItem(tenant, onceKey, id, clock.now()), if: isNew }]),
    { put: messageItem(tenant, head), if: isNew },
    { put: packed.item },
    ...claimWrites(clock, tenant, holder, new Set(), paths).writes,
    ...(replyTo ? [linkMessage(tenant, replyTo, id)] : []),
    ...(typeof extraWrites === 'function' ? extraWrites(head) : extraWrites),
  ]
  try {
    await store.transact(tenant, writes, clock.uuid())
    return { kind: 'stored', id }
  } catch (error) {
    if (onceKey !== undefined && error instanceof TransactionRefused && error.reasons[0]?.failed)
      return { kind: 'known' }
    throw error
  }
}

function headOf(id: number, message: NewMessage, nowMs: number): MessageHead {
  const {
    body: _body,
    bodyNew: _bodyNew,
    payload: _payload,
    attachments: _attachments,
    onceKey: _once,
    conversation = `#${id}`,
    position = id,
    ...head
  } = message
  return {
    ...head,
    id,
    conversation,
    position,
    isWaiting: true,
    waitingSinceMs: nowMs,
    round: 0,
    isGivenUp: false,
    outcomes: [],
    rev: 1,
  }
}
