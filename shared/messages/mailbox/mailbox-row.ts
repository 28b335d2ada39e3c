import type { TenantRef } from '../../kernel/tenancy.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import { mailboxDueKey, mailboxKey } from '../../platform/store/keys/messages/mailbox.ts'
import { isHeldBy, type Lease, readLease } from '../../platform/store/lease.ts'
import { removeSlot, dueSlot, setSlot } from '../../platform/store/slots.ts'
import type { Condition, Write } from '../../platform/store/store.ts'
import type { Attribute, Item } from '../../platform/store/values/marshal.ts'
import { and, equals } from '../../platform/store/writes/conditions.ts'

/** How far a mailbox was fetched. UIDs mean something together with their `uidValidity` only. */
export interface Watermark {
  readonly uidValidity: string
  /** Every mail up to this UID was stored, or is gone. */
  readonly lastUid: number
  /** Rises when UIDs get a new meaning. */
  readonly epoch: number
  /** In an epoch that is not the first: mails up to this UID may have been stored before. */
  readonly rescanUntil: number
  /** Mails that arrived earlier (Unix milliseconds) were stored before that epoch; 0: any may be unknown. */
  readonly rescanSinceMs: number
}

/** A mailbox of a tenant, as far as polls remember it. */
export interface StoredMailbox {
  /** Which mailbox the watermark is for; undefined before the first contact. */
  readonly source: string | undefined
  readonly watermark: Watermark | undefined
  /** When the newest mail had arrived, by the server's clock and never later than ours. */
  readonly newestMs: number
  /** Polls that broke off, or whose function died, at the mail after the watermark. */
  readonly tries: number
  /** Polls that failed since the last one that did not. */
  readonly failures: number
  /** Whether administrators know of these failures. */
  readonly isTold: boolean
  /** Whether a poll has ever succeeded. */
  readonly hasWorked: boolean
  readonly lease: Lease | undefined
  /** When the last poll that succeeded ended (Unix milliseconds); 0: none has. */
  readonly fetchedMs: number
  /** Of a folder of Microsoft Graph: what leads to the mails that follow. */
  readonly link: string | undefined
  /** Mails that it left to the next one. */
  readonly waiting: number
  /** Why the last poll failed; null: it succeeded. */
  readonly error: string | null
}

export function readMailbox(item: Item | undefined): StoredMailbox {
  const { uidvalidity } = item ?? {}
  const number = (name: string): number => Number(item?.[name] ?? 0)
  return {
    source: item?.source === undefined ? undefined : String(item.source),
    watermark:
      uidvalidity === undefined
        ? undefined
        : {
            uidValidity: String(uidvalidity),
            lastUid: number('last_uid'),
            epoch: number('epoch'),
            rescanUntil: number('rescan_until'),
            rescanSinceMs: number('rescan_since'),
          },
    newestMs: number('newest_ms'),
    tries: number('tries'),
    failures: number('failures'),
    isTold: item?.told === true,
    hasWorked: item?.worked === true,
    lease: readLease(item),
    fetchedMs: number('fetched_ms'),
    link: item?.link === undefined ? undefined : String(item.link),
    waiting: number('waiting'),
    error: number('failures') > 0 ? String(item?.last_error ?? '') : null,
  }
}

/** What an update sets (undefined removes), and when the mailbox is due (undefined: as before, null: never). */
interface RowChange {
  readonly set: Readonly<Record<string, Attribute | undefined>>
  readonly dueMs?: number | null
}

/** Updates the row of a mailbox (0: the one of the settings), or makes it. */
export function changeMailbox(tenant: TenantRef, id: number, { set, dueMs }: RowChange, condition?: Condition): Write {
  const slot = typeof dueMs === 'number' ? dueSlotOf(tenant, id, dueMs) : undefined
  const values: Record<string, Attribute> = { ':kind': 'mailbox', ':v': 1, ...slot?.values }
  const names: Record<string, string> = { '#kind': 'kind', '#v': 'v' }
  const sets = ['#kind = :kind', '#v = :v', ...(slot ? [slot.expression.replace(/^SET /, '')] : [])]
  const removes = dueMs === null ? [removeSlot(dueSlot)] : []
  for (const [name, value] of Object.entries(set)) {
    names[`#${name}`] = name
    if (value === undefined) removes.push(`#${name}`)
    else {
      sets.push(`#${name} = :${name}`)
      values[`:${name}`] = value
    }
  }
  const expression = `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`
  return { update: mailboxKey(tenant, id), change: { expression, names, values }, ...(condition && { if: condition }) }
}

const dueSlotOf = (tenant: TenantRef, id: number, dueMs: number) => {
  const { pk, sk } = mailboxDueKey(isoTime(dueMs), tenant, id)
  return setSlot(dueSlot, pk, sk)
}

export const watermarkAttributes = ({ uidValidity, lastUid, epoch, rescanUntil, rescanSinceMs }: Watermark) => ({
  uidvalidity: uidValidity,
  last_uid: lastUid,
  epoch,
  rescan_until: rescanUntil,
  rescan_since: rescanSinceMs,
})

/** Nobody else has polled the mailbox since the lease was acquired, and the watermark is where it was read. */
export const isHeldAt = (holder: string, { uidValidity, lastUid }: Watermark): Condition =>
  and(isHeldBy(holder), equals('uidvalidity', uidValidity), equals('last_uid', lastUid))
