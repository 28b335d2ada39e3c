import { mayFail } from '../../../kernel/runtime/log.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { readMailId } from '../../../platform/mail/record-thread.ts'
import { intentKey } from '../../../platform/store/keys/messages/deliveries.ts'
import { mailIdKey, messageContentKey } from '../../../platform/store/keys/messages/incoming.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type IntentContent, readContent } from '../../deliveries/rows/intent-content.ts'
import type { Delivery } from '../../deliveries/state/delivery.ts'
import { findDelivery } from '../../deliveries/threads/find-delivery.ts'
import type { FindThreadKey } from '../../deliveries/threads/thread-key.ts'
import type { KnownText } from '../../incoming-messages/new-text/repeated-text.ts'
import { type MessageObjects, readMessageContent } from '../../incoming-messages/rows/content-row.ts'
import { plainText } from '../../notification-templates/plain-text.ts'
import type { ParsedMail } from '../mail/parts/parsed-mail.ts'
import { readKnownMail } from './known-mail.ts'

export interface TextDependencies extends MessageObjects {
  readonly store: Pick<Store, 'get' | 'getMany'>
  readonly threadKey: FindThreadKey
}

/** An answer quotes the newest mails that it refers to, if any. */
const maxTexts = 8

/** What the mails say to which a mail refers, as far as they left or came in here, the newest first. */
export async function answeredTexts(
  services: TextDependencies,
  tenant: TenantRef,
  { inReplyTo, references }: Pick<ParsedMail, 'inReplyTo' | 'references'>,
): Promise<readonly KnownText[]> {
  const ids = [...new Set([...(inReplyTo === null ? [] : [inReplyTo]), ...references.toReversed()])].slice(0, maxTexts)
  if (ids.length === 0) return []
  const key = await services.threadKey(tenant)
  const texts = await Promise.all(
    // Without one more history is shown; that holds up no mail.
    ids.map((id) =>
      mayFail('read what a mail answers', () => textOfMail(services, tenant, id, readMailId(key, tenant.id, id))),
    ),
  )
  return texts.filter((text) => text !== undefined)
}

async function textOfMail(
  services: TextDependencies,
  tenant: TenantRef,
  mailId: string,
  own: string | undefined,
): Promise<KnownText | undefined> {
  if (own === undefined) return receivedText(services, tenant, mailId)
  const delivery = await findDelivery(services.store, tenant, own)
  return delivery && sentText(services, tenant, delivery)
}

/** What a mail says that left here. */
export async function sentText(
  services: Pick<TextDependencies, 'store' | 'fetchObject'>,
  tenant: TenantRef,
  { intent }: Pick<Delivery, 'intent'>,
): Promise<KnownText | undefined> {
  const item = await services.store.get(tenant, intentKey(tenant, intent))
  const content = item && (await readContent(services, item))
  return content && textOfContent(content)
}

/** A reply of a person leaves as it was written; around a notice, or what a template makes of values, there is more. */
async function textOfContent(content: IntentContent): Promise<KnownText> {
  const { subject = '', body, text, template, params, isPersonal = false } = content
  if (template) return { text: textsIn(params).join('\n'), isWhole: false }
  const said = text ?? (/<[a-z]/i.test(body) ? await plainText(body, null) : body)
  return isPersonal ? { text: said, isWhole: true } : { text: `${subject}\n${said}`, isWhole: false }
}

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null && depth < 5
    ? Object.values(value).flatMap((one) => textsIn(one, depth + 1))
    : []
}

async function receivedText(
  services: Pick<TextDependencies, 'store' | 'fetchObject'>,
  tenant: TenantRef,
  mailId: string,
): Promise<KnownText | undefined> {
  const row = await services.store.get(tenant, mailIdKey(tenant, mailId))
  const [item] = row
    ? await services.store.getMany(tenant, [messageContentKey(tenant, readKnownMail(row).messageId)])
    : []
  if (!item) return undefined
  const { body } = await readMessageContent(services, item)
  return body === '' ? undefined : { text: body, isWhole: true }
}
