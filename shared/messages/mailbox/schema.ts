import * as z from 'zod'
import { MessageVersion } from '../../platform/queue/message-version.ts'

/** A message that has a mailbox of a tenant polled: the one of the settings, where it names none. */
export const MailboxWake = z.object({ v: MessageVersion, tenant_id: z.int(), mailbox_id: z.int().optional() })
export type MailboxWake = z.output<typeof MailboxWake>

const Count = z.int().min(0)

/** What a poll has done. */
export const FetchedMails = z.object({
  fetched: Count.meta({ description: 'Mails that were read in the mailbox.' }),
  created: Count.meta({ description: 'Mails that became incoming messages.' }),
  skipped: Count.meta({ description: 'Mails that were known, or were removed from the mailbox meanwhile.' }),
  remaining: Count.meta({ description: 'Mails that are fetched next, in the background.' }),
})
export type FetchedMails = z.output<typeof FetchedMails>

/** A mailbox that could be opened. */
export const TestedMailbox = z.object({
  ok: z.literal(true),
  mailbox: z.string().meta({ description: 'The folder that was opened.' }),
  messages: Count.meta({ description: 'Mails in the folder.' }),
})
export type TestedMailbox = z.output<typeof TestedMailbox>
