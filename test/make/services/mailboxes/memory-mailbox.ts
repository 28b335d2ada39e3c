import { MailboxFailure } from '../../../../shared/messages/mailbox/imap/mailbox-failure.ts'
import type { OpenMailbox } from '../../../../shared/messages/mailbox/imap/open-mailbox.ts'

interface HeldMail {
  uid: number
  readonly raw: Buffer
  readonly internalDate: Date
  /** What the server says; some only estimate it. */
  readonly sizeBytes: number
}

/** A folder in memory, opened as a mail server's one is. */
export interface MemoryMailbox {
  readonly mails: readonly HeldMail[]
  put(raw: string | Buffer, options?: { readonly at?: number; readonly sizeBytes?: number }): number
  remove(uid: number): void
  /** Gives every mail a new UID. */
  renumber(): void
  /** Called before each request; what it throws is the failure of the request. */
  before: (request: string, uid?: number) => void | Promise<void>
  open(): Promise<OpenMailbox>
}

export function memoryMailbox(): MemoryMailbox {
  let mails: HeldMail[] = []
  let nextUid = 1
  let uidValidity = 1_000
  const mailbox: MemoryMailbox = {
    get mails() {
      return mails
    },
    put(raw, { at = Date.now(), sizeBytes } = {}) {
      const bytes = Buffer.from(raw)
      mails.push({ uid: nextUid, raw: bytes, internalDate: new Date(at), sizeBytes: sizeBytes ?? bytes.length })
      return nextUid++
    },
    remove: (uid) => void (mails = mails.filter((one) => one.uid !== uid)),
    renumber() {
      uidValidity += 1
      mails.forEach((one, index) => (one.uid = index + 1))
      nextUid = mails.length + 1
    },
    before: () => {},
    async open() {
      const find = async (request: string, uid: number): Promise<HeldMail | undefined> => {
        await mailbox.before(request, uid)
        return mails.find((one) => one.uid === uid)
      }
      await mailbox.before('open')
      return {
        uidValidity: String(uidValidity),
        messages: mails.length,
        async uids({ after, until = Infinity, sinceMs = 0 }) {
          await mailbox.before('uids')
          return mails
            .filter(({ uid, internalDate }) => uid > after && uid <= until && internalDate.getTime() >= sinceMs)
            .map(({ uid }) => uid)
        },
        async head(uid) {
          const found = await find('head', uid)
          return found && { uid, sizeBytes: found.sizeBytes, internalDate: found.internalDate }
        },
        async content(uid, part, maxBytes) {
          const raw = (await find(part, uid))?.raw
          const end = part === 'headers' ? (raw?.indexOf('\r\n\r\n') ?? 0) + 4 : maxBytes
          return raw?.subarray(0, Math.min(end, maxBytes))
        },
        close: async () => {},
      }
    },
  }
  return mailbox
}

/** What a mail server that cannot be reached fails with. */
export const brokenConnection = (): never => {
  throw new MailboxFailure('The mail server ended the connection.')
}
