import type { TenantRef } from '../../../kernel/tenancy.ts'
import { keyHash } from '../../../platform/store/keys/key.ts'
import { mailIdKey } from '../../../platform/store/keys/messages/incoming.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { ParsedMail } from '../mail/parts/parsed-mail.ts'
import { companyOf } from './mail-company.ts'

/** A mail that came in, as answers to it find it. */
export interface KnownMail {
  readonly messageId: number
  /** The message that began its thread. */
  readonly root: number
  readonly conversation: string
  /** Marks of the addresses that it names, and of their companies. */
  readonly people: ReadonlySet<string>
  readonly companies: ReadonlySet<string>
  /** Only mails that refer to it came in, and the message is the first of them. */
  readonly isReferred: boolean
}

/** So many of the mails that a mail refers to are known by it, the newest and the one that began its thread. */
const maxReferred = 6
/** More people take part in no conversation; lists of recipients may be long. */
const maxPeople = 100
/** Of a hash: enough to tell the people of one mail apart. */
const markCharacters = 16

/** Stands for an address or a company where only equality matters. */
export const markOf = (text: string): string => keyHash(text.toLowerCase()).slice(0, markCharacters)

/** The company of an address as a mark; undefined at a provider of everybody. */
export function companyMarkOf(address: string): string | undefined {
  const company = companyOf(address)
  return company === undefined ? undefined : markOf(`@${company}`)
}

/**
 * The writes that make a mail known by its `Message-ID`, and by those that it refers to, for the transaction of its message:
 * others may answer one of these that never came in here. The first mail with an id keeps it: nobody takes over a thread by
 * repeating its id.
 */
export function knowMails(
  tenant: TenantRef,
  mail: Pick<ParsedMail, 'from' | 'to' | 'cc' | 'replyTo' | 'messageId' | 'inReplyTo' | 'references'>,
  place: Pick<KnownMail, 'messageId' | 'root' | 'conversation'>,
): Write[] {
  const { messageId, inReplyTo, references } = mail
  const referred = [...new Set([...(inReplyTo === null ? [] : [inReplyTo]), ...references.toReversed()])]
  const some =
    referred.length <= maxReferred ? referred : [...referred.slice(0, maxReferred - 1), ...referred.slice(-1)]
  return [
    ...(messageId === null ? [] : [knowMail(tenant, messageId, mail, place, false)]),
    ...some.filter((id) => id !== messageId).map((id) => knowMail(tenant, id, mail, place, true)),
  ]
}

function knowMail(
  tenant: TenantRef,
  mailId: string,
  { from, to, cc, replyTo }: Pick<ParsedMail, 'from' | 'to' | 'cc' | 'replyTo'>,
  { messageId, root, conversation }: Pick<KnownMail, 'messageId' | 'root' | 'conversation'>,
  isReferred: boolean,
): Write {
  const named = [from, ...replyTo, ...to, ...cc].flatMap((one) => one?.email ?? [])
  const people = [...new Set(named)].slice(0, maxPeople)
  const companies = new Set(people.flatMap((address) => companyMarkOf(address) ?? []))
  const values = {
    kind: 'known_mail',
    v: 1,
    message_id: messageId,
    root,
    conversation,
    people: people.map(markOf).join(' '),
    companies: [...companies].join(' '),
    referred: isReferred,
  }
  const names = Object.keys(values)
  return {
    update: mailIdKey(tenant, mailId),
    change: {
      expression: `SET ${names.map((name) => `#${name} = if_not_exists(#${name}, :${name})`).join(', ')}`,
      names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      values: Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
    },
  }
}

/** Reads the row of a known mail. */
export const readKnownMail = (item: Item): KnownMail => ({
  messageId: Number(item.message_id),
  root: Number(item.root),
  conversation: String(item.conversation),
  people: new Set(String(item.people).split(' ')),
  companies: new Set(String(item.companies).split(' ')),
  isReferred: item.referred === true,
})
