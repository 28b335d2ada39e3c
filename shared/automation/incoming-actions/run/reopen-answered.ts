import { Fault, NotFound } from '../../../kernel/failures/faults.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { didYouMean } from '../../../kernel/text/did-you-mean.ts'
import { findMessageHead } from '../../../messages/incoming-messages/find-message.ts'
import { type IncomingMessage, isWordOfPerson } from '../../../messages/incoming-messages/message.ts'
import { changeMessage } from '../../../messages/incoming-messages/receive/save-message.ts'
import { ConditionFailed } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { worksOn } from '../../../records/comments/readers.ts'
import { changeRecord } from '../../../records/records/write/change-record.ts'
import { isClosedRecord, isFinalState, typeOfField } from '../../../tables/field-types/read-field.ts'
import type { ErrorList } from '../../../tables/tables/error-list.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { IncomingAction } from '../incoming-action.ts'
import type { RuleActor } from './acting-user.ts'
import type { RuleDependencies } from './dependencies.ts'
import type { RepliedRecord } from './replied-record.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The field of states that a table has first. */
const stateFieldOf = ({ table_fields }: Pick<Table, 'table_fields'>) =>
  table_fields.find((field) => typeOfField(field).lifecycle !== undefined)

/** Adds what is wrong with the state to which answers move a closed record. */
export function checkReopen(
  { reopen, onReply }: Pick<IncomingAction, 'reopen' | 'onReply'>,
  table: Table | undefined,
  list: ErrorList,
  path: string,
): void {
  if (!reopen) return
  if (onReply !== 'comment')
    list.add(path, `An answer reopens a record with on_reply: comment, not with on_reply: ${onReply}.`)
  if (!table) return
  const field = stateFieldOf(table)
  if (!field) return list.add(path, `The table ${table.name} has no field of states.`)
  const { choices, lifecycle } = typeOfField(field)
  const slugs = (choices?.of(field) ?? []).map(({ slug }) => slug)
  const { state, from = [] } = reopen
  for (const [index, slug] of from.entries())
    if (!slugs.includes(slug))
      list.add(`${path}.from.${index}`, `The field ${field.name} has no state ${slug}.${didYouMean(slug, slugs)}`)
  const isLeft = (slug: string): boolean => slug === '*' || from.includes(slug) || isFinalState(field, slug)
  if (!slugs.includes(state))
    list.add(`${path}.state`, `The field ${field.name} has no state ${state}.${didYouMean(state, slugs)}`)
  else if (isFinalState(field, state)) list.add(`${path}.state`, `The state ${state} is a final one.`)
  else if (!lifecycle?.moves(field).some((move) => move.to === state && isLeft(move.from)))
    list.add(
      `${path}.state`,
      `No transition of ${field.name} leads from a final state, or one of \`from\`, to ${state}: add one to the table.`,
    )
}

interface Answered {
  readonly message: IncomingMessage
  readonly replied: RepliedRecord | undefined
}

/**
 * What an answer is to a rule that reopens: the customer's answer to a closed record moves it to the state of the rule; one
 * that comes too late answers no record any more, and makes one of its own. Repeatable.
 */
export async function reopenAnswered(
  rules: RuleDependencies,
  actor: RuleActor,
  rule: IncomingAction,
  { message, replied }: Answered,
): Promise<Answered> {
  const { reopen, onReply } = rule
  if (!reopen || onReply !== 'comment' || !replied || !isWordOfPerson(message)) return { message, replied }
  const { tenant } = actor
  const table = await rules.tables.require(tenant, rule.targetModel)
  const field = stateFieldOf(table)
  const { data, updated_at: changedAt } = replied.record
  const isDone = isClosedRecord(table, data) || (field && reopen.from?.includes(String(data[field.name])))
  if (!field || !isDone) return { message, replied }
  const { userId } = message
  if (userId !== undefined && (await worksOn(rules.comments, tenant, table.name, replied.item, userId)))
    return { message, replied }
  const closedMs = rules.clock.now() - Date.parse(changedAt)
  if (reopen.within_days !== undefined && closedMs > reopen.within_days * dayMs)
    return { message: await partFromRecord(rules, tenant, message), replied: undefined }
  try {
    await changeRecord(rules.records, actor, table, replied.ref.id, { [field.name]: reopen.state })
  } catch (error) {
    // The answer counts more than the state: it becomes a comment all the same, and lists show that the customer waits.
    if (!(error instanceof Fault)) throw error
    log.warn('an answer could not reopen its record', { rule: rule.id, message: message.id, reason: error.message })
  }
  return { message, replied }
}

/** Makes a message one that answers no record; the record that it came in at keeps it in its timeline. */
async function partFromRecord(
  { store, clock }: Pick<RuleDependencies, 'store' | 'clock'>,
  tenant: Tenant,
  message: IncomingMessage,
): Promise<IncomingMessage> {
  const { replyTo: _, replyThrough: __, ...apart } = message
  return retryWithJitter(clock, async (again) => {
    const head = await findMessageHead(store, tenant, message.id)
    if (!head) throw new NotFound('incoming_message', { id: message.id })
    try {
      if (head.replyTo)
        await store.write(tenant, changeMessage(tenant, head, { replyTo: undefined, replyThrough: undefined }))
      return apart
    } catch (error) {
      if (error instanceof ConditionFailed) return again(error)
      throw error
    }
  })
}
