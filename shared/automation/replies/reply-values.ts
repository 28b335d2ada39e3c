import { localeOfAddress } from '../../accounts/people/lookup/user-of-address.ts'
import { mayOnTable, permittedFields } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { NamesTables } from '../../kernel/table-names.ts'
import { readsAllMessages } from '../../messages/incoming-messages/find-message.ts'
import { templateRecord } from '../../messages/notification-templates/template.ts'
import type { MailRecord } from '../../platform/mail/record-thread.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import { createRecordReads } from '../../records/records/read/record-reads.ts'
import type { RecordRef, ReplyDependencies } from './dependencies.ts'
import { chatWay, mailWay } from './reply-ways.ts'

export interface ValueDependencies extends ReplyDependencies {
  /** Where people find a record. */
  readonly recordUrl: (tenant: NamesTables, record: MailRecord) => string
}

/**
 * The values of a text about a record: `record` with the fields that the caller may read, a reference with those of what it
 * names where `used` looks into it; the caller as `me` and `user`; `url`; and whoever gets the answer as `requester`, for
 * callers who may update the record and see whom messages go to, as in `reply-options`. `locale`: that of the requester.
 */
export async function replyValues(
  services: ValueDependencies,
  caller: Caller,
  record: RecordRef,
  used: readonly string[],
): Promise<{ readonly params: Readonly<Record<string, unknown>>; readonly locale: string | null }> {
  const { tenant } = caller
  const { model, id } = record
  const item = await services.store.get(tenant, recordKey(tenant, model, id))
  const { data, ...standard } = await createRecordReads(services).get(caller, model, id, item ?? null)
  const [mayReply] = await services.access.permitted(caller, model, 'update', [item])
  const sees = permittedFields(caller, model, 'read') === undefined || readsAllMessages(caller)
  const { name, email } = mayReply && sees ? await requesterOf(services, caller, record) : nobody
  const referenced = await referencedData(services, caller, model, data, used)
  const me = { id: caller.userId, name: caller.name, email: caller.email }
  return {
    params: {
      record: templateRecord({ ...data, ...referenced, ...standard }),
      user: me,
      me,
      url: services.recordUrl(tenant, record),
      requester: { ...(name !== null && { name }), ...(email !== null && { email }) },
    },
    locale: email === null ? null : await localeOfAddress(services.store)(tenant, email),
  }
}

interface Asking {
  readonly name: string | null
  readonly email: string | null
}
const nobody: Asking = { name: null, email: null }

/** Whoever gets a reply to a record. */
async function requesterOf(services: ReplyDependencies, caller: Caller, record: RecordRef): Promise<Asking> {
  const [way, chat] = await Promise.all([mailWay(services, caller, record), chatWay(services, caller, record)])
  const isMail = !('problem' in way)
  const name = isMail ? way.name : null
  return { email: isMail ? way.recipient : null, name: name ?? ('problem' in chat ? null : chat.name) }
}

/** What the references that a text looks into name, with their fields, as far as the caller may read them. */
async function referencedData(
  services: ValueDependencies,
  caller: Caller,
  model: string,
  data: Readonly<Record<string, unknown>>,
  used: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const table = await services.tables.require(caller.tenant, model)
  const reads = createRecordReads(services)
  const found = await Promise.all(
    table.table_fields.map(async (field) => {
      const { target_table: target } = field as { readonly target_table?: string }
      const value = data[field.name]
      if (target === undefined || typeof value !== 'number' || !mayOnTable(caller, target, 'read')) return []
      const isAsked = used.some((path) => new RegExp(`^record\\.(data\\.)?${field.name}\\.`).test(path))
      const [other] = isAsked ? await reads.findMany(caller, target, [value]) : []
      return other ? [[field.name, { ...other.data, id: other.id }] as const] : []
    }),
  )
  return Object.fromEntries(found.flat())
}
