import { readChanges, settledRows } from '../../history/service.ts'
import { Conflict } from '../../kernel/faults.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { readLivingRecord, visibleData } from '../../records/service.ts'
import { recordKey } from '../../store/keys/records.ts'
import type { ProcessDependencies } from '../dependencies.ts'

type Fields = Readonly<Record<string, unknown>>

/** A record as one of its versions left it. */
export interface RecordVersion {
  readonly version: number
  readonly data: Fields
  /** As the version before left it; undefined for the first. */
  before(): Promise<Fields | undefined>
}

/**
 * The record as `version` left it, whatever happened to it since: what stands now, with every later change taken back.
 * undefined when the record is gone. Throws Conflict while the history it takes is still being written.
 */
export async function recordAtVersion(
  deps: ProcessDependencies,
  tenant: Tenant,
  model: string,
  id: number,
  version: number,
): Promise<RecordVersion | undefined> {
  const { store, tables } = deps
  const [table, item] = await Promise.all([tables.find(tenant, model), store.get(tenant, recordKey(tenant, model, id))])
  const current = readLivingRecord(item)
  if (!table || !current) return undefined
  const now = visibleData(table, current.data)
  const undo = (data: Fields, from: number, to: number) =>
    takeBack(deps, tenant, { model, id, from, to, changedAt: current.updated_at }, data)
  const data = version >= current.version ? now : await undo(now, version + 1, current.version)
  return {
    version: Math.min(version, current.version),
    data,
    before: async () => (version <= 1 || version > current.version ? undefined : undo(data, version, version)),
  }
}

async function takeBack(
  deps: ProcessDependencies,
  tenant: Tenant,
  range: Parameters<typeof settledRows>[2],
  data: Fields,
): Promise<Fields> {
  const { rows, pending } = await settledRows(deps, tenant, range)
  if (pending.length > 0)
    throw new Conflict('history_pending', 'The history of this record is still being written. Try again.')
  const past: Record<string, unknown> = { ...data }
  for (const row of rows) {
    for (const [name, change] of Object.entries(await readChanges(row, deps.objects.fetchObject)))
      past[name] = change.old
  }
  return past
}
