import type { Tenant } from '../../../kernel/tenancy.ts'
import type { IncomingMessage } from '../../../messages/incoming-messages/message.ts'
import { type Mailbox, mailboxesOf } from '../../../messages/mailboxes/mailbox.ts'
import type { Config } from '../../../platform/store/config.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { IncomingAction } from '../incoming-action.ts'
import type { RuleDependencies } from './dependencies.ts'
import { repliedRecord } from './replied-record.ts'

/** What a mailbox does with a mail is noted as that of a rule; no rule has this id. */
const actionOfMailbox = (mailboxId: number): number => -mailboxId

/** The ids under which mailboxes note the records that they make in a table. */
export const actionsOfMailboxes = async (
  config: Pick<Config, 'list'>,
  tenant: Tenant,
  model: string,
): Promise<readonly number[]> =>
  (await mailboxesOf(config, tenant)).filter(({ table }) => table === model).map(({ id }) => actionOfMailbox(id))

/**
 * What the mailbox of a mail does with it that no rule deals with, as a rule: it makes a record in its table, and adds an
 * answer as a comment to the record that it answers. Undefined where it does nothing, for mails of programs, and for one that a
 * rule dealt with before or failed at: that is to be put right.
 */
export async function ruleOfMailbox(
  rules: Pick<RuleDependencies, 'config' | 'store' | 'tables'>,
  tenant: Tenant,
  message: IncomingMessage,
  isDone: (rule: Pick<IncomingAction, 'id'>) => boolean,
): Promise<{ readonly rule: IncomingAction; readonly overriding: Readonly<Record<string, unknown>> } | undefined> {
  if (message.channel !== 'email' || message.auto !== undefined) return undefined
  const mailbox = (await mailboxesOf(rules.config, tenant)).find(({ id }) => id === message.mailboxId)
  if (!mailbox || mailbox.table === null) return undefined
  const id = actionOfMailbox(mailbox.id)
  if (isDone({ id }) || message.outcomes.some(({ actionId }) => actionId !== id)) return undefined
  const answered = message.replyTo && { targetModel: message.replyTo.model, onReply: 'comment' as const }
  const replied = answered && (await repliedRecord(rules, tenant, message, answered))
  const table = await rules.tables.find(tenant, mailbox.table)
  const fieldMapping = table ? mappingFor(table) : {}
  const rule = ruleOf(mailbox, id, replied?.ref.model ?? mailbox.table, fieldMapping)
  return { rule, overriding: { ...untitled(table, message), ...mailbox.values } }
}

const ruleOf = (
  { name, savedBy, version }: Mailbox,
  id: number,
  targetModel: string,
  fieldMapping: IncomingAction['fieldMapping'],
): IncomingAction => ({
  id,
  name,
  channel: 'email',
  isAutomatic: true,
  targetModel,
  fieldMapping,
  script: null,
  buttonLabel: null,
  buttonColor: null,
  condition: null,
  onReply: 'comment',
  position: 0,
  isActive: true,
  sendComments: true,
  savedBy,
  version,
})

/** Usual names of the field that takes the text of a mail. */
const bodyNames = ['description', 'body', 'text', 'message', 'content', 'details']

/** The fields that a mail fills: the title, a text, and the address of its sender. */
function mappingFor({ title_field: title, table_fields: fields }: Table): Record<string, string> {
  const texts = fields.filter(({ name, type }) => name !== title && textTypes.has(type)).map(({ name }) => name)
  const body = bodyNames.find((name) => texts.includes(name))
  const address = fields.find(({ type }) => type === 'email')?.name
  return {
    ...(title !== null && { [title]: 'subject' }),
    ...(body !== undefined && { [body]: 'body' }),
    ...(address !== undefined && { [address]: 'from_email' }),
  }
}

const textTypes: ReadonlySet<string> = new Set(['text', 'textarea'])

/** The title of a record of a mail without a subject. */
const untitled = (table: Table | undefined, { subject }: IncomingMessage): Record<string, string> =>
  table && table.title_field !== null && !subject?.trim() ? { [table.title_field]: '(no subject)' } : {}
