/** The mailboxes of a local cloud: mails by address, kept with its data. Every address has one. */
import type { Op, Storage } from '../../../runtime/storage/storage.ts'

export interface KeptMail {
  /** Rises within a mailbox and is never used twice (RFC 3501, UID). */
  readonly uid: number
  /** When it arrived (Unix milliseconds). */
  readonly atMs: number
  readonly source: Buffer
}

export interface Mailboxes {
  /** Puts a mail into the mailbox of an address. */
  deliver(address: string, source: Buffer): Promise<KeptMail>
  /** Oldest first. */
  list(address: string): Promise<readonly KeptMail[]>
}

interface StoredMail {
  readonly uid: number
  readonly at_ms: number
  readonly source: string
}

const maxMails = 1_000
const prefixOf = (address: string): string => `mailbox/${encodeURIComponent(address.trim().toLowerCase())}/`
const keyOf = (address: string, uid: number): string => prefixOf(address) + String(uid).padStart(10, '0')

/** Opens the mailboxes of a data directory. Each keeps its newest 1,000 mails. */
export function openMailboxes(storage: Pick<Storage, 'values' | 'commit'>, now: () => number): Mailboxes {
  let last: Promise<unknown> = Promise.resolve()

  async function list(address: string): Promise<readonly KeptMail[]> {
    const prefix = prefixOf(address)
    const texts = await storage.values({ gte: prefix, lt: `${prefix}~` })
    return texts.map((text) => {
      const { uid, at_ms: atMs, source } = JSON.parse(text) as StoredMail
      return { uid, atMs, source: Buffer.from(source, 'base64') }
    })
  }

  async function put(address: string, source: Buffer): Promise<KeptMail> {
    const known = await list(address)
    const mail: KeptMail = { uid: (known.at(-1)?.uid ?? 0) + 1, atMs: now(), source }
    const stored: StoredMail = { uid: mail.uid, at_ms: mail.atMs, source: source.toString('base64') }
    const surplus = known.slice(0, Math.max(0, known.length + 1 - maxMails))
    await storage.commit([
      { type: 'put', key: keyOf(address, mail.uid), value: JSON.stringify(stored) },
      ...surplus.map(({ uid }): Op => ({ type: 'del', key: keyOf(address, uid) })),
    ])
    return mail
  }

  return {
    list,
    deliver(address, source) {
      // One after the other: two at the same time would get the same UID.
      const delivered = last.then(() => put(address, source))
      last = delivered.catch(() => {})
      return delivered
    },
  }
}
