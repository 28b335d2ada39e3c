import type { Jobs, PreparedJob } from '../jobs/service.ts'
import { type Clock, isoTime } from '../kernel/clock.ts'
import { Conflict, type FieldErrors, Invalid, NotFound } from '../kernel/faults.ts'
import type { Caller } from '../kernel/principal.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import { type Config, putConfigRow, removeConfigRow } from '../store/config.ts'
import { recordPartition } from '../store/keys/records.ts'
import { readSequence, allocateIds } from '../store/sequence.ts'
import type { Store, Write } from '../store/table.ts'
import { documentChanges, trailEvent } from '../trail/service.ts'
import { checkChange } from './check-change.ts'
import { type CheckScript, checkScripts } from './check-scripts.ts'
import { checkTable } from './check-table.ts'
import { indexesOfNew, planIndexes } from './plan-indexes.ts'
import { type RebuildInput, rebuildKind } from './rebuild-input.ts'
import type { Field, TableChange, TableInput } from './schema.ts'
import { allSystemTables, firstCustomTableId, systemTable } from './system-tables.ts'
import { type Automation, type StoredTable, type Table, isSystemName, readTable } from './table.ts'

export { bindProcesses } from './bind-processes.ts'
export type { CheckScript } from './check-scripts.ts'
export { checkValue } from './check-value.ts'
export { type CountedValue, countedFields, counterValue } from './counted-fields.ts'
export { type Referrer, type Tables, createTables } from './read-tables.ts'
export { RebuildInput, rebuildKind } from './rebuild-input.ts'
export { type SearchedField, searchedFields } from './searched-fields.ts'
export { systemTable } from './system-tables.ts'
export {
  type Automation,
  ErrorList,
  type StoredTable,
  type Table,
  readStoredTable,
  readTable,
  referencedTable,
  tableDocument,
  tableHead,
} from './table.ts'

export type TableAdministration = ReturnType<typeof administerTables>

export interface TableAdministrationDependencies {
  readonly store: Store
  readonly config: Config
  readonly clock: Pick<Clock, 'now' | 'uuid'>
  readonly checkScript: CheckScript
  /** A change may need the records rebuilt. */
  readonly jobs: Pick<Jobs, 'prepare' | 'wake'>
}

/** The changes that administrators make to the tables of a tenant. */
export function administerTables({ store, config, clock, checkScript, jobs }: TableAdministrationDependencies) {
  /** What `create` or `change` would refuse in a document, by path, when the tables in `names` exist. */
  async function check(
    tenant: TenantRef,
    input: Omit<TableInput, 'id'>,
    names: ReadonlySet<string>,
  ): Promise<FieldErrors> {
    const stored = await config.getFresh(tenant, 'TABLE', input.name)
    const row = stored ?? systemTable(input.name)
    const before = row && readTable(row)
    const list = checkTable(input, names)
    if (!before && isSystemName(input.name)) list.add('name', 'Names beginning with sys_ are reserved.')
    checkScripts(checkScript, input.automations, before?.automations ?? [], list)
    if (before && !(await holdsNoRecord(tenant, input.name))) checkChange(before, input, list)
    return list.errors
  }

  async function create(caller: Caller, input: TableInput): Promise<Table> {
    const { tenant } = caller
    if (isSystemName(input.name)) throw new Invalid({ name: ['Names beginning with sys_ are reserved.'] })
    const names = await tableNames(tenant)
    if (names.has(input.name)) throw new Conflict('name_taken', `The table ${input.name} exists already.`)
    const list = checkTable(input, new Set([...names, input.name]))
    checkScripts(checkScript, input.automations, [], list)
    if (list.any) throw new Invalid(list.errors)
    const [id, automations] = await Promise.all([
      allocateIds(store, tenant, 'sys_tables'),
      numberAutomations(tenant, input, []),
    ])
    const doc: StoredTable = {
      id: firstCustomTableId - 1 + id,
      label: input.label ?? titleOf(input.name),
      title_field: input.title_field ?? firstTextField(input.table_fields),
      table_fields: input.table_fields,
      automations,
      retired: [],
      // A table of this name may have lived before: what it left behind is gone when it could be deleted.
      ...indexesOfNew(input),
    }
    return save(caller, input.name, doc, 1, undefined, null)
  }

  async function change(caller: Caller, name: string, input: TableChange): Promise<Table> {
    const { tenant } = caller
    const stored = await config.getFresh(tenant, 'TABLE', name)
    const row = stored ?? systemTable(name)
    if (!row) throw new NotFound('table', { model: name })
    const before = readTable(row)
    if (input.name !== undefined && input.name !== name) throw new Invalid({ name: ['A table keeps its name.'] })
    if (input.version !== undefined && input.version !== before.version) {
      throw new Conflict('stale_version', `The table has changed: its version is ${before.version}.`)
    }
    const next = {
      ...input,
      name,
      // A document without fields or hooks means: leave them. Only a field left out of a given list is retired.
      table_fields: input.table_fields ?? [...before.table_fields],
      automations: input.automations ?? [...before.automations],
    }
    const [names, isEmpty] = await Promise.all([tableNames(tenant), holdsNoRecord(tenant, name)])
    const list = checkTable(next, names)
    checkScripts(checkScript, next.automations, before.automations, list)
    if (!isEmpty) checkChange(before, next, list)
    if (list.any) throw new Invalid(list.errors)
    const kept = new Set(next.table_fields.map((field) => field.name))
    const title_field = input.title_field === undefined ? keepTitleField(before, kept) : input.title_field
    const version = before.version + 1
    const { needsRebuild, ...indexes } = planIndexes(
      before,
      { table_fields: next.table_fields, title_field },
      version,
      isEmpty,
    )
    const job = needsRebuild ? await prepareRebuild(caller, name) : undefined
    const doc: StoredTable = {
      id: before.id,
      label: input.label ?? before.label,
      title_field,
      table_fields: next.table_fields,
      automations: await numberAutomations(tenant, next, before.automations),
      retired: isEmpty ? [] : [...before.retired, ...before.table_fields].filter((field) => !kept.has(field.name)),
      ...indexes,
      ...(job
        ? { rebuilding: { job_id: job.id } }
        : !isEmpty && before.rebuilding && { rebuilding: before.rebuilding }),
      ...(before.has_processes && { has_processes: true }),
    }
    const changed = await save(
      caller,
      name,
      doc,
      version,
      before,
      stored ? before.version : null,
      job ? [job.write] : [],
    )
    if (job) await jobs.wake(tenant, job.id)
    return changed
  }

  /** The job that will bring the records into step with the change: made with it or not at all. */
  async function prepareRebuild(caller: Caller, name: string): Promise<PreparedJob> {
    const { live } = await readSequence(store, caller.tenant, name)
    return jobs.prepare(caller.tenant, caller, rebuildKind, { model: name } satisfies RebuildInput, { total: live })
  }

  /** Refused while the table holds records or another table's field refers to it. */
  async function remove(caller: Caller, name: string): Promise<void> {
    const { tenant } = caller
    const row = await config.getFresh(tenant, 'TABLE', name)
    if (isSystemName(name) && (row ?? systemTable(name))) throw new Conflict('built_in', `${name} is a built-in table.`)
    if (!row) throw new NotFound('table', { model: name })
    if (!(await holdsNoRecord(tenant, name))) throw new Conflict('in_use', `The table ${name} still holds records.`)
    const others = (await config.listFresh(tenant, 'TABLE')).map(readTable)
    const referring = others.find(
      (table) => table.name !== name && table.table_fields.some((field) => field.target_table === name),
    )
    if (referring) throw new Conflict('in_use', `The table ${referring.name} refers to ${name}.`)
    const related = (await config.listFresh(tenant, 'RELATION')).map(
      ({ doc }) => doc as { name: string; l_table: string; r_table: string },
    )
    const relation = related.find(({ l_table, r_table }) => l_table === name || r_table === name)
    if (relation) throw new Conflict('in_use', `The table ${name} takes part in the relation ${relation.name}.`)
    const process = (await config.listFresh(tenant, 'PROCESS')).find(
      ({ doc }) => (doc as { table: string }).table === name,
    )
    if (process) throw new Conflict('in_use', `The process ${process.name} is about the table ${name}.`)
    const gone = readTable(row)
    await config.change(
      tenant,
      [removeConfigRow(tenant, 'TABLE', name, row.version), tableEvent(clock, caller, gone, undefined)],
      changedMeanwhile,
    )
  }

  /** `existing`: the version of the stored row, null when there is none: a built-in table has a document before it has a row. */
  async function save(
    caller: Caller,
    name: string,
    doc: StoredTable,
    version: number,
    before: Table | undefined,
    existing: number | null,
    others: readonly Write[] = [],
  ): Promise<Table> {
    const row = { name, version, doc }
    const audit = { userId: caller.userId, at: isoTime(clock.now()) }
    const after = readTable(row)
    await config.change(
      caller.tenant,
      [putConfigRow(caller.tenant, 'TABLE', row, existing, audit), ...others, tableEvent(clock, caller, before, after)],
      changedMeanwhile,
    )
    return after
  }

  async function tableNames(tenant: TenantRef): Promise<ReadonlySet<string>> {
    return new Set([...(await config.listFresh(tenant, 'TABLE')), ...allSystemTables()].map(({ name }) => name))
  }

  /** Counts what lives, and looks for deletes that have not finished. */
  async function holdsNoRecord(tenant: TenantRef, name: string): Promise<boolean> {
    const [{ live }, { items }] = await Promise.all([
      readSequence(store, tenant, name),
      store.query(tenant, { pk: recordPartition(tenant, name), limit: 1 }),
    ])
    return live === 0 && items.length === 0
  }

  /** Hooks keep the id they have; a new one, or one with an id this table never gave, gets the next of the tenant. */
  async function numberAutomations(
    tenant: TenantRef,
    input: TableInput,
    before: readonly Automation[],
  ): Promise<Automation[]> {
    const known = new Set(before.map(({ id }) => id))
    const isKnown = (id: number | undefined): id is number => id !== undefined && known.delete(id)
    const kept = input.automations.map(({ id }) => (isKnown(id) ? id : undefined))
    const missing = kept.filter((id) => id === undefined).length
    let next = missing > 0 ? await allocateIds(store, tenant, 'sys_automations', missing) : 0
    return input.automations.map(({ kind, name, script, is_active, position }, index) => ({
      id: kept[index] ?? next++,
      kind,
      name: name ?? kind,
      script,
      is_active,
      position: position ?? index + 1,
    }))
  }

  return { check, create, change, remove }
}

/** What the trail tells of a table: what administrators set, nothing of how it is kept. */
function tableEvent(
  clock: TableAdministrationDependencies['clock'],
  caller: Caller,
  before: Table | undefined,
  after: Table | undefined,
): Write {
  const { id, name, version } = (after ?? before) as Table
  const told = (table: Table | undefined) =>
    table && {
      label: table.label,
      title_field: table.title_field,
      table_fields: table.table_fields,
      automations: table.automations.map(({ id: _, ...automation }) => automation),
    }
  const action = !before ? 'create' : after ? 'update' : 'delete'
  return trailEvent(clock, caller.tenant, caller, {
    action,
    model: 'sys_entities',
    id,
    name,
    version,
    changes: documentChanges(told(before), told(after)),
  })
}

const changedMeanwhile = (): Conflict =>
  new Conflict('write_conflict', 'Somebody else changed this table at the same time. Read it again.')

/** A label for a name that has none. */
export const titleOf = (name: string): string => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ')
const firstTextField = (fields: readonly Field[]): string | null =>
  fields.find(({ type }) => type === 'text')?.name ?? null
const keepTitleField = (before: Table, kept: ReadonlySet<string>): string | null =>
  before.title_field && kept.has(before.title_field) ? before.title_field : null
