import type { TenantRef } from '../kernel/tenancy.ts'
import type { Clock } from '../kernel/time/clock.ts'
import { scriptRunsOfRecordPartition } from '../platform/store/keys/scripts.ts'
import { newestRows } from '../platform/store/ranges/newest-rows.ts'
import { scriptRunSlot, slotName } from '../platform/store/slots.ts'
import type { Store } from '../platform/store/store.ts'
import { isExpired, readRun } from './run-log.ts'
import type { ScriptRunAnswer } from './schema.ts'

/** The runs of scripts for one record, newest first, each with its sort key, from that of `from` on. */
export async function runsOfRecord(
  { store, clock }: { readonly store: Pick<Store, 'query' | 'getMany'>; readonly clock: Pick<Clock, 'now'> },
  tenant: TenantRef,
  { model, id }: { readonly model: string; readonly id: number },
  from: string | undefined,
  limit: number,
): Promise<{ readonly runs: readonly { sort: string; run: ScriptRunAnswer }[]; readonly next?: string }> {
  const partition = { pk: scriptRunsOfRecordPartition(tenant, model, id), index: slotName(scriptRunSlot) }
  const { rows, ...rest } = await newestRows(store, tenant, partition, from, limit)
  return {
    runs: rows.filter(({ item }) => !isExpired(item, clock)).map(({ sort, item }) => ({ sort, run: readRun(item) })),
    ...rest,
  }
}
