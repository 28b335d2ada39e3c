import { unrestricted } from '../../../kernel/principal.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readAfterDue, readRecordWrite, readRemovalRound } from '../../../platform/store/rows/record-row.ts'
import { retainedUntil } from '../../../platform/store/rows/retention-row.ts'
import { and, atVersion, equals, isMarkedDeleted } from '../../../platform/store/writes/conditions.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { markedItem, readBeforeDelete, readRecord } from '../record-item.ts'
import { clearReferences, findReferences } from './clear-references.ts'
import { finishRemoval, type MarkedRecord } from './finish-removal.ts'
import { continueRetention } from './retention.ts'

/** References cleared between two checks of the time. */
const batch = 50
const leaseMs = 60_000
const indexLagMs = 50

/**
 * Continues a delete that a request began: clears the references, puts the links away, then removes the record, and runs the
 * pending hooks. When `timeIsUp` answers true it queues the removal again, which the change feed reports. Of a record that is
 * not being deleted it continues the return, or the end, of what was retained. Idempotent, also when two calls overlap.
 */
export async function continueRemoval(
  records: RecordDependencies,
  tenant: Tenant,
  model: string,
  id: number,
  timeIsUp: () => boolean,
): Promise<'finished' | 'unfinished' | 'nothing to do'> {
  const { store, tables, clock } = records
  const item = await store.get(tenant, recordKey(tenant, model, id))
  if (item?.deleted_at === undefined) return continueRetention(records, tenant, model, id, timeIsUp)
  const table = await tables.require(tenant, model)
  const afterDue = readAfterDue(item)
  const marked = { ...(readRecord(item, table) as MarkedRecord), ...readBeforeDelete(item), afterDue }
  const { batchId } = readRecordWrite(item)
  const actor: Actor = {
    ...unrestricted,
    tenant,
    userId: marked.deletedBy,
    source: 'delete',
    ...(batchId !== undefined && { batchId }),
  }
  for (;;) {
    const referring = await findReferences(records, tenant, table, id, batch)
    const open = referring.filter(({ ids }) => ids.length > 0)
    if (open.length === 0) {
      if (await records.links.retainLinks(tenant, model, id, retainedUntil(marked.deletedAt), timeIsUp)) break
    } else {
      const cleared = await clearReferences(records, actor, marked, open)
      // The references are cleared, but the index still lists them: wait for it.
      if (cleared === 0) await clock.sleep(indexLagMs)
    }
    if (timeIsUp()) {
      const round = readRemovalRound(item) + 1
      const next = markedItem(table, marked, { ...actor, source: undefined }, clock.uuid(), {
        dueAt: isoTime(clock.now() + leaseMs),
        queued: true,
        round,
      })
      await store.write(tenant, {
        put: next,
        if: and(
          atVersion(marked.version),
          isMarkedDeleted,
          ...(afterDue === undefined ? [] : [equals('after_due', afterDue)]),
        ),
      })
      log.info('a delete continues in the background', { model, id, round })
      return 'unfinished'
    }
  }
  const tombstone = await finishRemoval(records, actor, table, marked)
  if (tombstone && afterDue !== undefined) await records.hooks.runPending(tenant, model, id, 'now')
  return 'finished'
}
