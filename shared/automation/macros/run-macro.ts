import { findUser } from '../../accounts/people/user.ts'
import { Invalid } from '../../kernel/failures/faults.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import type { Write } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { and, exists, isUndeleted } from '../../platform/store/writes/conditions.ts'
import { isRefusal } from '../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../platform/store/writes/retry-with-jitter.ts'
import { requireMayWrite } from '../../records/comments/commented-record.ts'
import type { CommentDependencies } from '../../records/comments/dependencies.ts'
import { prepareComment } from '../../records/comments/write/store-comment.ts'
import type { Actor } from '../../records/records/actor.ts'
import type { RecordDependencies } from '../../records/records/dependencies.ts'
import type { StoredRecord } from '../../records/records/record-item.ts'
import { changeRecord, previewChange } from '../../records/records/write/change-record.ts'
import type { Table } from '../../tables/tables/table.ts'
import { type Macro, valuesOf } from './macro.ts'

export interface MacroRunDependencies extends RecordDependencies {
  readonly comments: CommentDependencies
}

export interface MacroRunOptions {
  /** Writes nothing, and says what would happen. */
  readonly isDryRun?: boolean
  /** Further writes of the same transaction. `version`: of the record afterwards; one that only got a comment keeps its own. */
  readonly writesWith?: (version: number) => readonly Write[]
}

/** The record afterwards, and whether anything was done. */
export interface MacroRun {
  readonly record: StoredRecord | undefined
  readonly isChanged: boolean
}

/**
 * Runs a macro on one record: the change of its fields and the comment are stored in one transaction, or neither. The
 * change takes the whole way of an update. Throws NotFound, Forbidden, Invalid and Conflict.
 */
export async function runMacro(
  services: MacroRunDependencies,
  actor: Actor,
  table: Table,
  macro: Macro,
  id: number,
  { isDryRun = false, writesWith }: MacroRunOptions = {},
): Promise<MacroRun> {
  const { comment } = macro
  if (macro.model !== table.name)
    throw new Invalid({ macro_id: [`The macro ${macro.name} is one of ${macro.model}, not of ${table.name}.`] })
  if (comment) requireMayWrite(actor, table.name, comment.is_internal ?? false)
  const values = valuesOf(table, macro, actor.userId)
  const permit = (item: Item | null | undefined): Promise<void> =>
    services.access.require(actor, table.name, id, 'update', item)
  if (isDryRun) {
    const names = await previewChange(services, actor, table, id, values, { permit })
    return { record: undefined, isChanged: names.length > 0 || comment !== null }
  }
  const acting: Actor = { ...actor, source: 'macro' }
  if (!comment) {
    let isChanged = false
    const record = await changeRecord(services, acting, table, id, values, {
      permit: (item) => {
        isChanged = false
        return permit(item)
      },
      writesWith: ({ version }) => {
        isChanged = true
        return writesWith?.(version) ?? []
      },
    })
    return { record, isChanged }
  }
  const { name = (await findUser(services.store, actor.tenant, actor.userId))?.name ?? '' } = actor
  const { sendReplies, ...unsent } = services.comments
  const commenting = comment.send === false || !sendReplies ? unsent : services.comments
  const content = { body: comment.body, isInternal: comment.is_internal ?? false, attachments: [] }
  let commentId: number | undefined
  return retryWithJitter(services.clock, async (again) => {
    const author = { ...actor, name }
    const prepared = await prepareComment(commenting, author, { model: table.name, id }, content, { id: commentId })
    commentId = prepared.comment.id
    const spoken = prepared.conversation
    try {
      const record = await changeRecord(services, acting, table, id, values, {
        permit,
        extraWrites: prepared.writes,
        alwaysMakesExtraWrites: true,
        writesWith: ({ version }) => writesWith?.(version) ?? [],
        ...(spoken && { conversation: { by: spoken.by, after: spoken.after } }),
        writesWhenUnchanged: ({ version }) => [
          // A word to the customer writes the record itself.
          ...(spoken ? [] : [{ check: recordKey(actor.tenant, table.name, id), if: and(exists, isUndeleted) }]),
          ...(writesWith?.(version) ?? []),
        ],
      })
      return { record, isChanged: true }
    } catch (error) {
      // Somebody commented at the same time, or deleted the record.
      if (isRefusal(error)) return again(error)
      throw error
    }
  })
}
