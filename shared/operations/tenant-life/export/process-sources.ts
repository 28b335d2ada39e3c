import { archivedDecisions } from '../../../automation/decisions/decision.ts'
import {
  archivedIncidents,
  archivedInstances,
  archivedTasks,
  archivedVersions,
} from '../../../automation/processes/archived-rows.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { readSequence } from '../../../platform/store/sequence/sequence.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Rows, Source } from './source.ts'

interface Dependencies {
  readonly store: Pick<Store, 'get' | 'getMany' | 'query'>
  readonly fetchObject: (key: string) => Promise<Uint8Array>
}

const idsPerPage = 100

/** The documents of all versions of templates, and the instances with their activities, tasks and incidents. */
export const processSources = (services: Dependencies, tenant: TenantRef): Source[] => [
  byId(services, tenant, 'processes/versions', 'sys_process_templates', (ids) =>
    archivedVersions(services.store, tenant, ids),
  ),
  byId(services, tenant, 'decisions/versions', 'sys_decisions', (ids) =>
    archivedDecisions(services.store, tenant, ids),
  ),
  byId(services, tenant, 'processes/instances', 'sys_process_instances', (ids) =>
    archivedInstances(services, tenant, ids),
  ),
  byId(services, tenant, 'processes/tasks', 'sys_process_tasks', (ids) => archivedTasks(services.store, tenant, ids)),
  byId(services, tenant, 'processes/incidents', 'sys_process_incidents', (ids) =>
    archivedIncidents(services.store, tenant, ids),
  ),
]

/** Everything with the ids of a sequence. */
export const byId = (
  { store }: { readonly store: Pick<Store, 'get'> },
  tenant: TenantRef,
  file: string,
  sequence: string,
  rowsOf: (ids: readonly number[]) => Promise<Rows['rows']> | AsyncIterable<object>,
): Source => ({
  name: file,
  async read(cursor) {
    const first = cursor?.at ?? 1
    const { last } = await readSequence(store, tenant, sequence)
    const count = Math.max(0, Math.min(last - first + 1, idsPerPage))
    const rows = rowsOf(Array.from({ length: count }, (_, index) => first + index))
    return {
      rows: Symbol.asyncIterator in rows ? oneByOne(file, rows) : [{ file, rows: await rows }],
      next: first + count <= last ? { at: first + count } : null,
    }
  },
})

async function* oneByOne(file: string, rows: AsyncIterable<object>): AsyncGenerator<Rows, void, undefined> {
  for await (const row of rows) yield { file, rows: [row] }
}
