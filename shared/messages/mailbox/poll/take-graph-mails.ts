import { maxMailBytes } from '../../../kernel/limits/incoming.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { mailCopiesKey } from '../../../platform/store/keys/messages/mailbox.ts'
import { isHeldBy } from '../../../platform/store/lease.ts'
import type { Write } from '../../../platform/store/store.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { isRefusal, wasApplied } from '../../../platform/store/writes/refusals.ts'
import type { PollDependencies } from '../dependencies.ts'
import { type GraphFolder, type GraphMail, TooLarge } from '../graph/graph-folder.ts'
import type { ReceivedMail } from '../mail/store-mail.ts'
import { changeMailbox } from '../mailbox-row.ts'
import { type HeldMailbox, renewed } from './lease.ts'
import { degradeAfter, type PollLimits, type Progress, type Taken } from './take-mails.ts'
import { LeaseLost, mailHash } from './watermark.ts'

/**
 * Stores the mails of a folder of Microsoft Graph, each once: that its id is known is written in the transaction of the message,
 * and the link to what follows once all of a page is. Throws as `takeMails`.
 */
export async function takeGraphMails(
  mailboxes: Pick<PollDependencies, 'store' | 'clock' | 'storeMail'>,
  tenant: Tenant,
  held: HeldMailbox,
  source: string,
  folder: GraphFolder,
  limits: PollLimits,
  progress: Progress,
): Promise<Taken> {
  const { store, clock } = mailboxes
  const { id, holder } = held
  const counts = { fetched: 0, created: 0, skipped: 0 }
  let { newestMs } = held
  let bytes = 0
  let link = held.source === source ? held.link : undefined
  const change = (set: Parameters<typeof changeMailbox>[2]['set']): Write =>
    changeMailbox(tenant, id, { set: { ...set, ...renewed(clock) } }, isHeldBy(holder))
  for (;;) {
    const { mails, link: following, isLast } = await folder.page(link)
    for (const [at, mail] of mails.entries()) {
      const isSpent = counts.fetched >= limits.mails || bytes >= limits.bytes || clock.now() >= limits.beginUntilMs
      if (isSpent) return { ...counts, remaining: mails.length - at + Number(!isLast) }
      await take(mail, at)
    }
    progress.uid = undefined
    if (!(await wasApplied(store.write(tenant, change({ link: following, source, newest_ms: newestMs, tries: 0 })))))
      throw new LeaseLost('another poll took over')
    link = following
    if (isLast) return { ...counts, remaining: 0 }
  }

  async function take({ id: mailId, receivedMs }: GraphMail, at: number): Promise<void> {
    const key = mailCopiesKey(tenant, id, mailHash(Buffer.from(mailId), 0, true))
    if (await store.get(tenant, key)) return
    progress.uid = at
    const mail = await readMail(folder, mailId, receivedMs, progress.tries)
    if (!mail) {
      counts.skipped += 1
      return
    }
    counts.fetched += 1
    bytes += mail.raw?.length ?? 0
    newestMs = Math.max(newestMs, Math.min(receivedMs, clock.now()))
    const writes = [
      change({ newest_ms: newestMs, tries: 0 }),
      { put: { ...key, kind: 'mail_copies', v: 1, copies: 1 }, if: isNew },
    ]
    try {
      const outcome = await mailboxes.storeMail(tenant, { ...mail, mailboxId: id }, writes)
      if (outcome === 'known') await store.transact(tenant, writes, clock.uuid())
      counts[outcome === 'known' ? 'skipped' : 'created'] += 1
    } catch (error) {
      // Another poll took over and stored it, or the write had succeeded and only its answer was lost.
      if (!isRefusal(error)) throw error
      throw new LeaseLost('another poll took over', { cause: error })
    }
    Object.assign(progress, { tries: 0, hasPassed: true })
  }
}

/** Reads a mail as far as it can be read; undefined when it is gone. */
async function readMail(
  folder: GraphFolder,
  id: string,
  receivedMs: number,
  tries: number,
): Promise<ReceivedMail | undefined> {
  const internalDate = new Date(receivedMs)
  if (tries >= degradeAfter.nothing)
    return { raw: null, sizeBytes: 0, internalDate, problem: 'The mail could not be read in the mailbox.' }
  if (tries < degradeAfter.headers) {
    const raw = await folder.content(id, 'all').catch((error: unknown) => {
      if (error instanceof TooLarge) return error
      throw error
    })
    if (!(raw instanceof Error)) return raw && { raw, sizeBytes: raw.length, internalDate }
  }
  const raw = await folder.content(id, 'headers')
  const problem =
    tries >= degradeAfter.headers
      ? 'The content of the mail could not be read in the mailbox.'
      : `The content of the mail is too large: mails of more than ${maxMailBytes / 1024 / 1024} MB are stored without it.`
  return raw && { raw, sizeBytes: raw.length, internalDate, problem }
}
