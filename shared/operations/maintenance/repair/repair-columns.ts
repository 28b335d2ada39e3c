import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { ChangeEvent } from '../../../platform/queue/change-feed/change-event.ts'
import type { Send } from '../../../platform/queue/send.ts'
import { readRecordWrite } from '../../../platform/store/rows/record-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { repairSource } from './missing-history.ts'

export interface ColumnRepairDependencies {
  /**
   * The stamps under which the blocks and the log of a table have records: version × 2, and 1 more for a deleted one.
   * Undefined for records they do not have.
   */
  readonly knownStamps: (
    tenant: TenantRef,
    model: string,
    ids: readonly number[],
  ) => Promise<readonly (number | undefined)[]>
  readonly send: Send
  /** The queue of the changes that the column index takes in. */
  readonly queueUrl: string
}

/** Queues records again whose latest version the column index does not have; answers their ids. */
export async function repairColumns(
  { knownStamps, send, queueUrl }: ColumnRepairDependencies,
  tenant: TenantRef,
  model: string,
  records: readonly Item[],
): Promise<number[]> {
  const writes = records.map(readRecordWrite)
  const known = await knownStamps(
    tenant,
    model,
    writes.map(({ id }) => id),
  )
  const stale = writes.filter(({ version, isDelete }, index) => (known[index] ?? -1) < version * 2 + Number(isDelete))
  if (stale.length === 0) return []
  const refused = await send(
    queueUrl,
    stale.map(({ id, version, isDelete, userId }): ChangeEvent => ({
      v: 1,
      tenant_id: tenant.id,
      model,
      id,
      version,
      action: isDelete ? 'delete' : 'update',
      actor: userId,
      source: repairSource,
    })),
  )
  if (refused.length > 0) throw new Error(`the queue refused changes: ${refused[0]?.reason}`)
  return stale.map(({ id }) => id)
}
