import { Forbidden, Invalid } from '../../../kernel/failures/faults.ts'
import { permissionMissing } from '../../../kernel/failures/permission-missing.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import { mayOnTable, permittedFields } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { readsAllMessages } from '../../../messages/incoming-messages/find-message.ts'
import { splitMessages } from '../../../messages/incoming-messages/receive/split-messages.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readAfterDue } from '../../../platform/store/rows/record-row.ts'
import { isRefusal } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { splitComments } from '../../../records/comments/write/split-comments.ts'
import { answerRecord } from '../../../records/records/record-item.ts'
import type { EntityRecord } from '../../../records/records/schema.ts'
import { prepareNewRecord, storeNewRecord } from '../../../records/records/write/create-record.ts'
import { splitWrite } from '../../../records/records/write/merge-writes.ts'
import type { FileDependencies } from '../../../tables/files/check-upload.ts'
import type { WorkDependencies } from '../dependencies.ts'
import type { SplitBody } from '../schema.ts'
import { hooksRun } from './merge-record.ts'

type Dependencies = WorkDependencies & Pick<FileDependencies, 'store' | 'clock'>

/**
 * Makes a record of a part of another: creates it by the whole way of a create, and moves comments and messages to it in the
 * same transaction, with their files and threads. Throws NotFound, Forbidden, Invalid and Conflict.
 */
export async function splitRecord(
  services: Dependencies,
  caller: Caller,
  model: string,
  id: number,
  body: SplitBody,
): Promise<EntityRecord> {
  const { tenant } = caller
  const table = await services.tables.require(tenant, model)
  if (!mayOnTable(caller, model, 'create')) throw permissionMissing(model, 'create')
  const commentIds = [...new Set(body.comment_ids)]
  const messageIds = [...new Set(body.message_ids)]
  return retryWithJitter(services.clock, async (again) => {
    const item = await services.store.get(tenant, recordKey(tenant, model, id))
    await services.access.require(caller, model, id, 'update', item)
    if (!item || readAfterDue(item) !== undefined) return again(hooksRun(model, id))
    if (commentIds.length + messageIds.length === 0) throw new Invalid({ comment_ids: [say('nothing_to_split', {})] })
    if (messageIds.length > 0 && !readsAllMessages(caller))
      throw new Forbidden(
        'forbidden',
        'You need the permission incoming_messages.read to name messages. Name their comments by comment_ids.',
      )
    const parts = await splitComments(services, caller, { model, id }, { commentIds, messageIds })
    const ofComments = parts.comments.flatMap(({ messageId }) => messageId ?? [])
    const messages = [...new Set([...messageIds, ...ofComments])]
    const moveMessages = await splitMessages(
      services.store,
      tenant,
      { model, homes: parts.homes },
      messages,
      body.message_ids ?? [],
    )
    const actor = { ...caller, source: 'split' }
    const prepared = await prepareNewRecord(services, actor, table, body.data)
    try {
      const stored = await storeNewRecord(services, { ...actor, split: { from: id } }, table, prepared, {
        ...(parts.taken && { conversation: parts.taken }),
        extraWrites: (record) => [
          splitWrite(services, actor, table, item, { into: record.id, conversation: parts.left }),
          ...parts.moveTo(record.id),
          ...moveMessages({ model, id: record.id }),
        ],
      })
      await parts.moved()
      return answerRecord(table, stored, permittedFields(caller, model, 'read'))
    } catch (error) {
      // Somebody wrote one of them meanwhile: what is there now decides.
      if (isRefusal(error)) return again(error)
      throw error
    }
  })
}
