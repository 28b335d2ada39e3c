import type { TenantRef } from '../../kernel/tenancy.ts'
import { earliestMessages } from '../../messages/incoming-messages/earliest-messages.ts'
import type { MessageHead } from '../../messages/incoming-messages/message.ts'
import { messagesOfRecord } from '../../messages/incoming-messages/messages-of-record.ts'
import type { RecordRef, ReplyDependencies } from './dependencies.ts'

type Reads = Pick<ReplyDependencies['store'], 'query' | 'getMany'>

/** A record is made by one of the first messages that belong to it; the last ones say how its sender writes now. */
const messagesRead = 20

/** The mail that made a record. `ruleIds`: by one of these rules. */
export const mailThatMade = async (
  store: Reads,
  tenant: TenantRef,
  { model, id }: RecordRef,
  ruleIds?: ReadonlySet<number>,
): Promise<MessageHead | undefined> =>
  (await earliestMessages(store, tenant, { model, id }, messagesRead)).find((message) =>
    madeRecord(message, model, id, ruleIds),
  )

const madeRecord = (
  { channel, outcomes }: MessageHead,
  model: string,
  recordId: number,
  ruleIds: ReadonlySet<number> | undefined,
): boolean =>
  channel === 'email' &&
  outcomes.some(
    ({ kind, actionId, record }) =>
      kind === 'created' && (ruleIds?.has(actionId) ?? true) && record?.model === model && record.id === recordId,
  )

/** The newest messages that belong to a record and are not for the team alone, newest first. */
export async function newestMessages(store: Reads, tenant: TenantRef, record: RecordRef): Promise<MessageHead[]> {
  const { messages } = await messagesOfRecord(store, tenant, record, undefined, messagesRead)
  return messages.map(({ message }) => message).filter(({ isInternal }) => !isInternal)
}
