import { permittedFields } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import { readsAllMessages } from '../../messages/incoming-messages/service.ts'
import { createRecordReads } from '../../records/records/service.ts'
import type { RecordRef, ReplyDependencies } from './dependencies.ts'
import { listReplyTemplates } from './reply-templates.ts'
import { chatWay, defaultWay, mailWay, type NoWay, type ReplyWay } from './reply-ways.ts'
import type { ReplyOptions } from './schema.ts'

/** How the caller can answer whoever a record is about, and with which texts. Throws NotFound. */
export async function replyOptions(
  services: ReplyDependencies,
  caller: Caller,
  record: RecordRef,
): Promise<ReplyOptions> {
  await createRecordReads(services).get(caller, record.model, record.id)
  const [email, messenger, byDefault, templates] = await Promise.all([
    mailWay(services, caller, record),
    chatWay(services, caller, record),
    defaultWay(services, caller, record),
    listReplyTemplates(services, caller.tenant),
  ])
  // As in timelines: what came in by mail may repeat fields that are hidden.
  const sees = permittedFields(caller, record.model, 'read') === undefined || readsAllMessages(caller)
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
