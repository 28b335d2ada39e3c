/** A record of the table of plans, and what processes do when its changes are reported. */
import { tenantItem } from '../../../shared/accounts/tenants/tenant-row.ts'
import type { AdvanceDependencies } from '../../../shared/automation/processes/dependencies.ts'
import { readCommandRows } from '../../../shared/automation/processes/rows/command-rows.ts'
import { instanceRow } from '../../../shared/automation/processes/rows/instance-row.ts'
import { instanceOfRecordItem } from '../../../shared/automation/processes/rows/start-rows.ts'
import { recordChanged } from '../../../shared/automation/processes/runtime/record-changed.ts'
import type { Template } from '../../../shared/automation/processes/templates/template.ts'
import type { ChangeEvent } from '../../../shared/platform/queue/change-feed/change-event.ts'
import { commandRowsPrefix, instanceRowsPartition } from '../../../shared/platform/store/keys/processes.ts'
import { readAll } from '../../../shared/platform/store/ranges/read-all.ts'
import { deploymentWide } from '../../../shared/platform/store/store.ts'
import { recordItem } from '../../../shared/records/records/record-item.ts'
import { frozenClock } from '../builders/frozen-clock.ts'
import { tableOf } from '../builders/lists/query-records.ts'
import { runningInstance } from '../builders/processes/running-instance.ts'
import { memoryObjects } from './stores/memory-objects.ts'
import type { SingleTable } from './stores/single-table.ts'

export const tenant = { id: 1, slug: 'acme', name: 'Acme Ltd', configVersion: 1 }
const at = '2026-11-20T08:00:00.000Z'
const plans = tableOf(101, 'plans', [{ name: 'status', type: 'text' }])
/** So that the commands of an instance stay, and can be looked at. */
export const leased = { lease_holder: 'other', lease_until: Date.parse('2030-01-01') }

export type ChangedRecord = Awaited<ReturnType<typeof openChangedRecord>>

/** Stores one instance of the same id as the record, which another worker has leased. The record itself is not stored. */
export async function openChangedRecord(single: SingleTable, id: number) {
  const clock = frozenClock()
  const put = (item: Parameters<typeof single.store.putMany>[1][0]) => single.store.write(tenant, { put: item })
  await single.store.write(deploymentWide, { put: tenantItem(tenant, at) })
  await put({ ...instanceRow(tenant, { ...runningInstance(id), recordId: id }, 'made').item, ...leased })
  await put(instanceOfRecordItem(tenant, 'plans', id, id))

  const record = {
    id,
    clock,
    templates: [] as Template[],
    /** Those that were tried. */
    conditions: [] as string[],
    conditionResult: { status: 'ok', value: true } as object,
    /** Instances that go on when the lease of the other worker has expired: somebody wanted to advance them. */
    wakes: [] as number[],
    put,
    itemOf: (version: number, status: string) =>
      recordItem(
        plans,
        { id, tenant_id: 1, created_by: 3, created_at: at, updated_by: 3, updated_at: at, version, data: { status } },
        { tenant, userId: 3 },
        `write ${id} ${version}`,
      ),
    /** Reports a change: unless `change` says more, an update by user 3. */
    changed: (change: Partial<ChangeEvent>, isRepeat = false, store = single.store): Promise<void> =>
      recordChanged(
        {
          store,
          clock,
          objects: memoryObjects(),
          leaseMs: 20_000,
          wakeLater: async (_tenant: object, instanceId: number) => void record.wakes.push(instanceId),
          config: { list: async () => record.templates },
          tables: { find: async () => plans },
          openScripts: async () => ({ runtime }),
          openProcess: async () => {
            throw new Error('the process was opened')
          },
        } as unknown as AdvanceDependencies,
        { v: 1, tenant_id: 1, model: 'plans', id, version: 2, action: 'update', actor: 3, source: null, ...change },
        isRepeat,
      ),
    async commandsOf(instanceId = id) {
      const range = { pk: instanceRowsPartition(tenant, instanceId), prefix: commandRowsPrefix }
      return readCommandRows(await readAll(single.store, tenant, range)).commands
    },
  }
  const runtime = {
    notifications: () => undefined,
    run: async ({ script }: { script: string }) => {
      record.conditions.push(script)
      return record.conditionResult
    },
  }
  return record
}
