import { createHash } from 'node:crypto'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { mailCopiesKey } from '../../../platform/store/keys/messages/mailbox.ts'
import { isHeldBy } from '../../../platform/store/lease.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import type { PollDependencies } from '../dependencies.ts'
import type { OpenMailbox } from '../imap/open-mailbox.ts'
import { changeMailbox, isHeldAt, watermarkAttributes, type Watermark } from '../mailbox-row.ts'
import { type HeldMailbox, renewed } from './lease.ts'

/** A mail may have arrived so long before the newest one and still be unknown. */
const rescanMarginMs = 7 * 24 * 60 * 60 * 1000

/**
 * Where to go on in a mailbox. On the first contact that is its beginning. When the server gave every mail a new UID, or
 * the settings name another mailbox, a rescan begins: UIDs say nothing any more about what is known. Throws LeaseLost.
 */
export async function currentWatermark(
  { store }: Pick<PollDependencies, 'store'>,
  tenant: TenantRef,
  held: HeldMailbox,
  source: string,
  opened: OpenMailbox,
): Promise<Watermark> {
  const { watermark, newestMs } = held
  const { uidValidity } = opened
  const isSameSource = held.source === source
  if (watermark && isSameSource && watermark.uidValidity === uidValidity) return watermark
  const next: Watermark = watermark
    ? {
        uidValidity,
        lastUid: 0,
        epoch: watermark.epoch + 1,
        rescanUntil: (await opened.uids({ after: 0 })).at(-1) ?? 0,
        rescanSinceMs: isSameSource ? Math.max(0, newestMs - rescanMarginMs) : 0,
      }
    : { uidValidity, lastUid: 0, epoch: 0, rescanUntil: 0, rescanSinceMs: 0 }
  const set = { ...watermarkAttributes(next), source, tries: 0 }
  if (!(await wasApplied(store.write(tenant, changeMailbox(tenant, held.id, { set }, isHeldBy(held.holder))))))
    throw new LeaseLost()
  return next
}

/** Another poll took over, or the watermark is not where this one left it. */
export class LeaseLost extends Error {}

/** UIDs after the watermark that have to be looked at. */
export async function uidsAfter(
  opened: OpenMailbox,
  { lastUid, rescanUntil, rescanSinceMs }: Watermark,
): Promise<number[]> {
  if (lastUid >= rescanUntil) return [...(await opened.uids({ after: lastUid }))]
  const rescanned = await opened.uids({ after: lastUid, until: rescanUntil, sinceMs: rescanSinceMs })
  return [...rescanned, ...(await opened.uids({ after: rescanUntil }))]
}

/** Moves the watermark past a mail, and renews the lease. Refused when another poll took over. */
export const passMail = (
  clock: Pick<Clock, 'now'>,
  tenant: TenantRef,
  { id, holder }: HeldMailbox,
  from: Watermark,
  uid: number,
  newestMs: number,
): Write =>
  changeMailbox(
    tenant,
    id,
    { set: { last_uid: uid, newest_ms: newestMs, tries: 0, ...renewed(clock) } },
    isHeldAt(holder, from),
  )

/** Equal mails have equal hashes. Of a mail without its content, headers and size are compared. */
export const mailHash = (raw: Buffer | null, sizeBytes: number, isWhole: boolean): string => {
  const hash = createHash('sha256').update(raw ?? '')
  if (!isWhole) hash.update(`\0${sizeBytes}`)
  return hash.digest('base64url')
}

/** How a mail compares with those that were stored before. */
export interface Copies {
  /** Every copy that a rescan meets is known until it has met as many as were stored. */
  readonly isKnown: boolean
  /** Counts the mail: as stored, or as met by the rescan. */
  readonly write: Write
}

/** Two equal mails with two UIDs are two mails, so copies are counted: those stored, and those met by this rescan. */
export async function countCopy(
  { get }: Pick<Store, 'get'>,
  tenant: TenantRef,
  mailboxId: number,
  hash: string,
  uid: number,
  { epoch, rescanUntil }: Watermark,
): Promise<Copies> {
  const key = mailCopiesKey(tenant, mailboxId, hash)
  const isRescan = uid <= rescanUntil
  const row = isRescan ? await get(tenant, key) : undefined
  const met = row?.epoch === epoch ? Number(row.met) : 0
  const isKnown = met < Number(row?.copies ?? 0)
  const sets = ['#kind = :kind', '#v = :v', ...(isRescan ? ['#epoch = :epoch', '#met = :met'] : [])]
  const change = {
    expression: `SET ${sets.join(', ')}${isKnown ? '' : ' ADD #copies :one'}`,
    names: {
      '#kind': 'kind',
      '#v': 'v',
      ...(isRescan && { '#epoch': 'epoch', '#met': 'met' }),
      ...(!isKnown && { '#copies': 'copies' }),
    },
    values: {
      ':kind': 'mail_copies',
      ':v': 1,
      ...(isRescan && { ':epoch': epoch, ':met': met + 1 }),
      ...(!isKnown && { ':one': 1 }),
    },
  }
  return { isKnown, write: { update: key, change } }
}
