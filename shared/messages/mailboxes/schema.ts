import * as z from 'zod'
import { maxAddressCharacters } from '../../kernel/limits/accounts.ts'
import { maxHostCharacters, maxMailboxCharacters, maxSettingCharacters } from '../../kernel/limits/configuration.ts'
import { maxMailboxAliases, maxSignInCodeCharacters, maxSignatureCharacters } from '../../kernel/limits/incoming.ts'
import { maxChannelNameCharacters, maxHeaderCharacters, maxUrlCharacters } from '../../kernel/limits/messages.ts'
import { maxNameCharacters } from '../../kernel/limits/requests.ts'
import { readOnly, stamps } from '../../platform/configured-objects/schema.ts'
import { listQuery } from '../../platform/http/paging/page-query.ts'
import { OauthSignIn } from '../channels/config/oauth-sign-in.ts'

const Name = z
  .string()
  .trim()
  .min(1)
  .max(maxChannelNameCharacters)
  .refine((name) => !/\p{Cc}/u.test(name), { error: 'The name may not hold control characters.' })
const Address = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email({ error: 'Use one mail address, such as support@example.com.' }).max(maxAddressCharacters))
const Text = z.string().trim().min(1).max(maxSettingCharacters)
/** Sealed: at most 4,096 bytes, and a character has at most three. */
const Secret = z.string().min(1).max(maxHeaderCharacters)

const SignIn = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('password'),
    username: Text.nullish().meta({ description: 'The address of the mailbox when left out.' }),
    password: Secret,
  }),
  OauthSignIn,
])

const Incoming = z.strictObject({
  protocol: z.enum(['imap', 'graph', 'local']).meta({
    description:
      '`imap`: any mail server. `graph`: Microsoft 365 by Microsoft Graph, with `auth.kind` `oauth`. `local`: the mailbox of this address that `npm start` embeds; it takes nothing else.',
  }),
  host: z
    .string()
    .trim()
    .max(maxHostCharacters)
    .regex(/^[A-Za-z0-9.-]+$|^[0-9A-Fa-f:]+$/, {
      error: 'Use a host name or an IP address, without scheme and port.',
    })
    .nullish()
    .meta({ description: 'Of the provider when left out with `oauth`; required with a password.' }),
  port: z.int().min(1).max(65_535).nullish().meta({ description: '993, with STARTTLS 143, when left out.' }),
  encryption: z.enum(['ssl', 'tls', 'none']).nullish().meta({
    description: '`ssl` (when left out): TLS from the start; `tls`: STARTTLS; `none`: for servers on this machine.',
  }),
  folder: z.string().trim().min(1).max(maxMailboxCharacters).nullish().meta({ description: '`INBOX` when left out.' }),
  auth: SignIn.nullish().meta({ description: 'Secrets are answered as `********`, which on write means unchanged.' }),
})
export type Incoming = z.output<typeof Incoming>

const members = {
  name: Name,
  address: Address.meta({ description: 'In lower case. Answers to what arrives here leave from it.' }),
  aliases: z.array(Address).max(maxMailboxAliases).optional().meta({
    description: 'Further addresses whose mails arrive here. An answer leaves from the one that the customer wrote to.',
  }),
  is_enabled: z.boolean().optional().meta({ description: 'True when left out. A disabled mailbox is not fetched.' }),
  incoming: Incoming,
  channel_id: z.int().min(1).nullish().meta({
    description:
      'The channel, of type `email`, through which answers leave; else the one with the address, or the default.',
  }),
  table: z.string().max(maxNameCharacters).nullish().meta({
    description: 'Where a mail makes a record that no rule matched; null: it waits in the inbox.',
  }),
  values: z.record(z.string(), z.unknown()).nullish().meta({
    description: 'Fields of such a record, besides those that the mail fills.',
  }),
  signature: z.string().max(maxSignatureCharacters).nullish().meta({
    description: 'Below answers that leave from this mailbox.',
  }),
  is_default: z.boolean().optional().meta({
    description:
      'Answers leave from it to people who wrote to no mailbox. One at most; while none is, it is the one of the settings. True ends the default of another one.',
  }),
}

export const MailboxInput = z.strictObject({ ...readOnly, problem: z.string().nullish(), ...members })
export type MailboxInput = z.output<typeof MailboxInput>
export const MailboxChange = MailboxInput.partial()

const MailboxHead = z.object({
  id: z.int().meta({ description: '0: the mailbox of the settings `IMAP_*` and `MAIL_*`, which is changed there.' }),
  name: z.string(),
  address: z.string(),
})

export const MailboxAnswer = MailboxHead.extend({
  aliases: z.array(z.string()),
  is_enabled: z.boolean(),
  incoming: z.record(z.string(), z.unknown()).meta({
    description: 'As it was given, with what is usual where that was left out. Secrets are masked.',
  }),
  channel_id: z.int().nullable(),
  table: z.string().nullable(),
  values: z.record(z.string(), z.unknown()).nullable(),
  signature: z.string().nullable(),
  is_default: z.boolean(),
  problem: z.string().nullable().meta({ description: 'Why it does not work: for example a table that was removed.' }),
  created_at: stamps.created_at.optional(),
  updated_at: stamps.updated_at.optional(),
  version: stamps.version,
})
export type MailboxAnswer = z.output<typeof MailboxAnswer>

/** A mailbox in the list: administrators see all members, everybody else id, name and address. */
export const ListedMailbox = z.union([MailboxAnswer, MailboxHead])
export type ListedMailbox = z.output<typeof ListedMailbox>
export const MailboxListQuery = listQuery(MailboxAnswer)

/** `{id}`: 0 is the mailbox of the settings. */
export const MailboxParams = z.object({
  id: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,15})$/, { error: 'The id of a mailbox is a whole number.' })
    .transform(Number)
    .refine(Number.isSafeInteger)
    .meta({ description: 'Id of the mailbox; 0 is the one of the settings.', type: 'integer', minimum: 0 }),
})

const Moment = z.string().nullable().meta({ format: 'date-time' })

/** How the fetching of a mailbox fares. */
export const MailboxHealth = z.object({
  last_fetched_at: Moment.meta({ description: 'When the last fetch that succeeded ended.' }),
  last_message_at: Moment.meta({ description: 'When the newest mail that was read had arrived.' }),
  waiting: z.int().min(0).meta({ description: 'Mails that the last fetch left to the next one.' }),
  error: z.string().nullable().meta({ description: 'Why the last fetch failed, and what to do; null: it succeeded.' }),
})
export type MailboxHealth = z.output<typeof MailboxHealth>

export const MailboxSignIn = z.object({ url: z.string().meta({ description: 'Open it in the browser.' }) })

/** What a provider sends back. */
export const MailboxCallbackQuery = z.object({
  state: z.string().max(maxUrlCharacters).optional(),
  code: z.string().max(maxSignInCodeCharacters).optional(),
  error: z.string().max(maxUrlCharacters).optional(),
  error_description: z.string().max(maxUrlCharacters).optional(),
})

export const SignedInMailbox = z.object({ mailbox_id: z.int(), address: z.string(), message: z.string() })
export type SignedInMailbox = z.output<typeof SignedInMailbox>
