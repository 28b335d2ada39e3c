import type { TenantRef } from '../../kernel/tenancy.ts'
import { normalAddress } from '../../platform/mail/normal-address.ts'
import { messageContentKey } from '../../platform/store/keys/messages/incoming.ts'
import type { Store } from '../../platform/store/store.ts'
import { readPackedJson } from '../../platform/store/values/pack-json.ts'
import type { MailAddresses, MessageContent, MessageHead } from './message.ts'

/** A row holds no more of them: a list of recipients may have a thousand. */
const maxOthers = 50
const maxReplyTo = 5

interface Written {
  readonly replyTo: readonly { readonly name: string | null; readonly email: string | null }[]
  readonly to: readonly { readonly email: string | null }[]
  readonly cc: readonly { readonly email: string | null }[]
  readonly headers: Readonly<Record<string, unknown>>
}

/** What the row of a mail keeps of the addresses in it. */
export const mailAddressesOf = ({ replyTo, to, cc, headers }: Written): MailAddresses => ({
  replyTo: replyTo.flatMap(({ name, email }) => (email === null ? [] : [{ name, email }])).slice(0, maxReplyTo),
  others: [...new Set([...to, ...cc].flatMap(({ email }) => email ?? []))].slice(0, maxOthers),
  takenAt: ['delivered-to', 'x-original-to', 'envelope-to']
    .flatMap((name) => headers[name] ?? [])
    .flatMap((value) => normalAddress(String(value).replace(/^.*<|>.*$/g, '')) ?? [])
    .slice(0, maxReplyTo),
})

/** Whom a stored mail names; of one from before rows kept it, as its content has it, where that fits into a row. */
export async function readMailAddresses(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  head: Pick<MessageHead, 'id' | 'addresses'>,
): Promise<MailAddresses> {
  if (head.addresses) return head.addresses
  const [item] = await store.getMany(tenant, [messageContentKey(tenant, head.id)])
  const content = item && (readPackedJson<MessageContent>(item, 'content') as MessageContent | undefined)
  const { reply_to_address: replyTo, to, cc, headers } = content?.payload ?? {}
  const listed = (value: unknown): Written['to'] => (Array.isArray(value) ? value : [])
  return mailAddressesOf({
    replyTo: typeof replyTo === 'string' ? [{ name: null, email: replyTo }] : [],
    to: listed(to),
    cc: listed(cc),
    headers: (headers ?? {}) as Written['headers'],
  })
}
