import { type NamesTables, storedTableInScript } from '../../kernel/table-names.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { RecordAccess } from './record-access.ts'

/** The records of `$api` by the names that tables have, or had until lately. */
export function byTableNames(records: RecordAccess, tenant: NamesTables, clock: Pick<Clock, 'now'>): RecordAccess {
  if (!tenant.renamedTables) return records
  const stored = (name: string): string => storedTableInScript(tenant, name, clock.now())
  return {
    ...records,
    get: (model, id) => records.get(stored(model), id),
    query: (model, query) => records.query(stored(model), query),
    partOf: (model, field, value) => records.partOf(stored(model), field, value),
    count: (model, filter) => records.count(stored(model), filter),
    create: (model, data) => records.create(stored(model), data),
    update: (model, id, data) => records.update(stored(model), id, data),
    remove: (model, id) => records.remove(stored(model), id),
    startProcess: (code, model, id, startKey) => records.startProcess(code, stored(model), id, startKey),
  }
}
