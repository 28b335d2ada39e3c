import type { Tenant } from '../../kernel/tenancy.ts'
import { notSaidRow, saidRow, type SaidRow } from '../../lists/columns/said-row.ts'
import { messageContentKey, messageKey } from '../../platform/store/keys/messages/incoming.ts'
import type { Store } from '../../platform/store/store.ts'
import type { MessageHead, RecordRef } from './message.ts'
import { contentBytes, type MessageObjects, readMessageContent } from './rows/content-row.ts'
import { readMessageHead } from './rows/message-row.ts'

/** The text of a larger content is not searched: its sender and its subject are. */
const searchedBytes = 4 * 1024 * 1024

/** What the index of what was said holds of a message: who sent it, its subject and its text. */
export async function saidMessage(
  services: MessageObjects & { readonly store: Pick<Store, 'getMany'> },
  tenant: Tenant,
  { id, version }: { readonly id: number; readonly version: number },
): Promise<SaidRow> {
  const [item, content] = await services.store.getMany(tenant, [messageKey(tenant, id), messageContentKey(tenant, id)])
  if (!item) return notSaidRow('message', id, version)
  const head = readMessageHead(item)
  const isSearched = content !== undefined && contentBytes(content) <= searchedBytes
  const text = isSearched ? (await readMessageContent(services, content)).body : ''
  return saidRow({
    kind: 'message',
    id,
    version: head.rev,
    about: recordsOf(head),
    isInternal: head.isInternal === true,
    who: [head.fromName, head.fromEmail],
    text: `${head.subject ?? ''}\n${text}`,
  })
}

/** The records that a message was about, as it came in: that it replied to, and those that rules made or changed by it. */
function recordsOf({ replyTo, replyThrough, outcomes }: MessageHead): RecordRef[] {
  const all = [
    ...(replyTo ? [{ ...replyTo, id: replyThrough ?? replyTo.id }] : []),
    ...outcomes.flatMap(({ record }) => (record ? [record] : [])),
  ]
  return [...new Map(all.map((one) => [`${one.model}#${one.id}`, one])).values()]
}
