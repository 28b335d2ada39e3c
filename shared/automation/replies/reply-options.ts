import { permittedFields } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import { readsAllMessages } from '../../messages/incoming-messages/service.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import { createRecordReads } from '../../records/records/service.ts'
import type { RecordRef, ReplyDependencies } from './dependencies.ts'
import { listReplyTemplates } from './reply-templates.ts'
import { chatWay, defaultWay, mailWay, type NoWay, type ReplyWay } from './reply-ways.ts'
import type { ReplyOptions } from './schema.ts'

/**
 * How the caller can answer whoever a record is about, and with which texts. Nobody is
 * reached by a caller who may not update the record. Throws NotFound.
 */
export async function replyOptions(
  services: ReplyDependencies,
  caller: Caller,
  record: RecordRef,
): Promise<ReplyOptions> {
  const { access, store } = services
  const { tenant } = caller
  const { model, id } = record
  const item = await store.get(tenant, recordKey(tenant, model, id))
  await createRecordReads(services).get(caller, model, id, item ?? null)
  const [mayReply] = await access.permitted(caller, model, 'update', [item])
  const [email, messenger, byDefault, templates] = await Promise.all([
    mayReply ? mailWay(services, caller, record) : notYours,
    mayReply ? chatWay(services, caller, record) : notYours,
    defaultWay(services, caller, record),
    mayReply ? listReplyTemplates(services, tenant) : [],
  ])
  // As in timelines: what came in by mail may repeat fields that are hidden.
  const sees = permittedFields(caller, model, 'read') === undefined || readsAllMessages(caller)
  const shown = (way: ReplyWay | NoWay) =>
    'problem' in way
      ? null
      : {
          to: sees && way.channel.type === 'email' ? way.recipient : null,
          name: sees ? way.name : null,
        }
  return {
    email: shown(email),
    messenger: shown(messenger),
    default: 'problem' in byDefault ? 'none' : 'email',
    templates,
  }
}

const notYours: NoWay = { problem: 'You may not update the record.' }
