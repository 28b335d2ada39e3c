import { maxMailBytes } from '../../../kernel/limits/incoming.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { mailboxKey } from '../../../platform/store/keys/messages/mailbox.ts'
import { isRefusal } from '../../../platform/store/writes/refusals.ts'
import type { PollDependencies } from '../dependencies.ts'
import type { MailHead, OpenMailbox } from '../imap/open-mailbox.ts'
import type { ReceivedMail } from '../mail/store-mail.ts'
import { readMailbox, type Watermark } from '../mailbox-row.ts'
import type { HeldMailbox } from './lease.ts'
import { countCopy, LeaseLost, mailHash, passMail, uidsAfter } from './watermark.ts'

/** How much one poll may do. */
export interface PollLimits {
  readonly mails: number
  readonly bytes: number
  /** No further mail is begun after this time (Unix milliseconds). */
  readonly beginUntilMs: number
}

/** What a poll has done. */
export interface Taken {
  /** Mails that were read in the mailbox. */
  readonly fetched: number
  readonly created: number
  /** Mails that were known, or gone when they were to be read. */
  readonly skipped: number
  /** Mails that this poll left to the next one. */
  readonly remaining: number
}

/** How far a poll came, also when it fails. */
export interface Progress {
  /** The mail that was begun. */
  uid: number | undefined
  /** Failed tries of that mail. */
  tries: number
  /** Whether the watermark has moved. */
  hasPassed: boolean
}

/** The largest mail that is stored with its content. */
const maxHeaderBytes = 256 * 1024
/** After so many failed tries a mail is stored by its headers only, and after so many without them. */
export const degradeAfter = { headers: 4, nothing: 6 } as const

/**
 * Stores mails in the order of their UIDs, each once: the watermark moves in the transaction of the message. Throws
 * LeaseLost, MailboxFailure, and the errors of the store; what was stored until then stays.
 */
export async function takeMails(
  mailboxes: Pick<PollDependencies, 'store' | 'clock' | 'storeMail'>,
  tenant: Tenant,
  held: HeldMailbox,
  opened: OpenMailbox,
  begin: Watermark,
  limits: PollLimits,
  progress: Progress,
): Promise<Taken> {
  const uids = await uidsAfter(opened, begin)
  const counts = { fetched: 0, created: 0, skipped: 0 }
  let at = begin
  let { newestMs } = held
  let bytes = 0
  let next = 0
  const pass = async (uid: number, write: () => Promise<void>): Promise<void> => {
    try {
      await write()
    } catch (error) {
      if (!isRefusal(error)) throw error
      const { lease, watermark } = readMailbox(await mailboxes.store.get(tenant, mailboxKey(tenant, held.id)))
      if (lease?.holder !== held.holder) throw new LeaseLost('another poll took over', { cause: error })
      // Else the write had succeeded before, and only its answer was lost.
      if (watermark?.lastUid !== uid) throw error
    }
    at = { ...at, lastUid: uid }
    Object.assign(progress, { tries: 0, hasPassed: true })
  }
  /** Mails that are gone need no write of their own, as long as another mail follows. */
  let gone: number | undefined
  for (; next < uids.length; next += 1) {
    if (counts.fetched >= limits.mails || mailboxes.clock.now() >= limits.beginUntilMs) break
    const uid = uids[next] as number
    progress.uid = uid
    const head = await opened.head(uid)
    if (head && counts.fetched > 0 && bytes + Math.min(head.sizeBytes, maxMailBytes) > limits.bytes) break
    const mail = head && (await readMail(opened, head, progress.tries))
    if (!mail) {
      gone = uid
      counts.skipped += 1
      continue
    }
    counts.fetched += 1
    bytes += mail.raw?.length ?? 0
    newestMs = Math.max(newestMs, Math.min(mail.internalDate.getTime(), mailboxes.clock.now()))
    const { isKnown, write: count } = await countCopy(
      mailboxes.store,
      tenant,
      held.id,
      mailHash(mail.raw, mail.sizeBytes, mail.problem === undefined),
      uid,
      at,
    )
    const writes = [passMail(mailboxes.clock, tenant, held, at, uid, newestMs), count]
    await pass(uid, async () => {
      const outcome = isKnown ? 'known' : await mailboxes.storeMail(tenant, { ...mail, mailboxId: held.id }, writes)
      if (outcome === 'known') await mailboxes.store.transact(tenant, writes, mailboxes.clock.uuid())
      counts[outcome === 'known' ? 'skipped' : 'created'] += 1
    })
    gone = undefined
  }
  progress.uid = undefined
  // A rescan that left out older mails ends at its last UID.
  const end = next === uids.length ? Math.max(gone ?? 0, begin.rescanUntil) : (gone ?? 0)
  if (end > at.lastUid)
    await pass(end, () =>
      mailboxes.store.transact(
        tenant,
        [passMail(mailboxes.clock, tenant, held, at, end, newestMs)],
        mailboxes.clock.uuid(),
      ),
    )
  return { ...counts, remaining: uids.length - next }
}

/** Reads a mail as far as it can be read; undefined when it is gone. */
async function readMail(
  opened: OpenMailbox,
  head: MailHead,
  tries: number,
): Promise<Omit<ReceivedMail, 'mailboxId'> | undefined> {
  const { uid, sizeBytes, internalDate } = head
  if (tries >= degradeAfter.nothing)
    return { raw: null, sizeBytes, internalDate, problem: 'The mail could not be read in the mailbox.' }
  if (tries < degradeAfter.headers && sizeBytes <= maxMailBytes) {
    const raw = await opened.content(uid, 'all', maxMailBytes + 1)
    // Some servers only estimate sizes.
    if (!raw || raw.length <= maxMailBytes) return raw && { raw, sizeBytes: raw.length, internalDate }
  }
  const raw = await opened.content(uid, 'headers', maxHeaderBytes)
  const problem =
    tries >= degradeAfter.headers
      ? 'The content of the mail could not be read in the mailbox.'
      : `The content of the mail is too large: mails of more than ${maxMailBytes / 1024 / 1024} MB are stored without it.`
  return raw && { raw, sizeBytes, internalDate, problem }
}
