import { Invalid } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { messageKey, messageLinkKey } from '../../../platform/store/keys/messages/incoming.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { exists } from '../../../platform/store/writes/conditions.ts'
import type { RecordRef } from '../message.ts'
import { readMessageHead } from '../rows/message-row.ts'
import { linkMessage } from '../rows/message-rows.ts'
import { changeMessage } from './save-message.ts'

/**
 * The writes that make messages of a record, or of those merged into it (`homes`), messages of a new one: later answers to
 * them arrive there. Throws Invalid for an id that is not one of them, and for the message that made the record.
 */
export async function splitMessages(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  { model, homes }: { readonly model: string; readonly homes: readonly number[] },
  ids: readonly number[],
  named: readonly number[],
): Promise<(to: RecordRef) => readonly Write[]> {
  const links = await store.getMany(
    tenant,
    ids.flatMap((id) => homes.map((home) => messageLinkKey(tenant, model, home, id))),
    ['pk', 'sk'],
  )
  const heads = await store.getMany(
    tenant,
    ids.map((id) => messageKey(tenant, id)),
  )
  const errors = new Map<string, string[]>()
  const found = ids.flatMap((id, index) => {
    const home = homes.find((_, at) => links[index * homes.length + at] !== undefined)
    const head = heads[index] && readMessageHead(heads[index])
    const path = named.includes(id) ? `message_ids.${named.indexOf(id)}` : 'comment_ids'
    if (home === undefined || !head) errors.set(path, [`There is no message ${id} of ${model} ${homes[0]}.`])
    else if (
      head.outcomes.some(({ kind, record }) => kind === 'created' && record?.model === model && record.id === home)
    )
      errors.set(path, [`Message ${id} made ${model} ${home}: it stays there. Split off later ones.`])
    else return [{ home, head }]
    return []
  })
  if (errors.size > 0) throw new Invalid(Object.fromEntries(errors))
  return (to) =>
    found.flatMap(({ home, head }) => [
      changeMessage(tenant, head, {
        replyTo: to,
        replyThrough: undefined,
        isSplit: true,
        // As if its rule had made the new record: comments there are sent to its sender.
        outcomes: head.outcomes.map((one) =>
          one.record?.model === model && one.record.id === home
            ? { ...one, kind: 'created' as const, record: to }
            : one,
        ),
      }),
      { remove: messageLinkKey(tenant, model, home, head.id), if: exists },
      linkMessage(tenant, to, head.id),
    ])
}
