import type { TenantRef } from '../../kernel/tenancy.ts'
import { messageContentKey, messageKey } from '../../platform/store/keys/messages/incoming.ts'
import type { Store } from '../../platform/store/store.ts'
import { describeMessage } from './describe-message.ts'
import type { MessageHead } from './message.ts'
import { type MessageObjects, readMessageText } from './rows/content-row.ts'
import { readMessageHead } from './rows/message-row.ts'

/** A message as the export of a tenant has it. It is packed until it is written. */
export interface ArchivedMessage {
  /** Its JSON, which the row has already: nothing is parsed. */
  json(): Promise<string>
}

/** The messages with these ids that exist. */
export async function archivedMessages(
  objects: MessageObjects & { readonly store: Pick<Store, 'getMany'> },
  tenant: TenantRef,
  ids: readonly number[],
): Promise<ArchivedMessage[]> {
  const messages: ArchivedMessage[] = []
  for (const id of ids) {
    const [head, content] = await objects.store.getMany(tenant, [messageKey(tenant, id), messageContentKey(tenant, id)])
    if (head && content)
      messages.push({ json: async () => withText(readMessageHead(head), await readMessageText(objects, content)) })
  }
  return messages
}

/** The JSON of a message from that of its content, which has the members `body`, `payload` and `attachments`. */
function withText(head: MessageHead, content: string): string {
  const {
    body: _body,
    payload: _payload,
    attachments: _attachments,
    ...rest
  } = describeMessage({
    ...head,
    body: '',
    payload: {},
    attachments: [],
  })
  return `${JSON.stringify(rest).slice(0, -1)},${content.slice(1)}`
}
