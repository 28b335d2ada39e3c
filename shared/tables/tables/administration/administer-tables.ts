import { isDeepStrictEqual } from 'node:util'
import { requireCurrentVersion, type VersionMatch } from '../../../kernel/failures/concurrent-change.ts'
import { Conflict, type FieldErrors, Invalid, NotFound } from '../../../kernel/failures/faults.ts'
import { maxRenameFollowers } from '../../../kernel/limits/tables.ts'
import type { Principal } from '../../../kernel/principal.ts'
import { publicTable, type RenamedTables, withoutTable, withTableName } from '../../../kernel/table-names.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import type { Jobs, JobStarter, PreparedJob } from '../../../platform/jobs/service.ts'
import { type Config, putConfigRow, removeConfigRow, timesAt } from '../../../platform/store/config.ts'
import { configKey } from '../../../platform/store/keys/configuration.ts'
import { hasRecords } from '../../../platform/store/ranges/record-range.ts'
import { allocateIds, closeTable, noteTable, readSequence } from '../../../platform/store/sequence/sequence.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { checkFormulas } from '../../formulas/service.ts'
import { checkChange, checkPermanent } from '../checks/check-change.ts'
import { type CheckConditions, checkFieldRules } from '../checks/check-field-rules.ts'
import { type CheckFilter, checkRollups, type RolledTable, withResults } from '../checks/check-rollups.ts'
import { type CheckScript, checkScripts } from '../checks/check-scripts.ts'
import { checkTable } from '../checks/check-table.ts'
import { checkTransitionRoles } from '../checks/check-transition-roles.ts'
import { ErrorList } from '../error-list.ts'
import { planRebuild } from '../plan-rebuild.ts'
import { type RebuildInput, rebuildKind } from '../rebuild-input.ts'
import { applyRenames } from '../renames/apply-renames.ts'
import { type Renames, withoutRename } from '../renames/plan-renames.ts'
import { renameInRollups, renamesOf } from '../renames/rename-fields.ts'
import { followRenames } from '../renames/rename-in-rows.ts'
import { type ChangeNames, changeNames, checkTableName, nameTaken, refuseFormerName } from '../renames/rename-table.ts'
import { checkRetired, retiredFields, storedNamesAfter } from '../retired-fields.ts'
import type { TableChange, TableInput } from '../schema.ts'
import { allSystemTables, firstCustomTableId, systemTable } from '../system-tables.ts'
import { type StoredTable, type Table, isSystemName, readStoredTable, readTable, reservedTableName } from '../table.ts'
import { bindRollups, ownRollers } from './bind-rollups.ts'
import { defaultLabel, defaultTitleField, keptTitleField } from './default-titles.ts'
import { numberAutomations } from './number-automations.ts'
import { requireUnused } from './require-unused.ts'
import { tableEvent } from './table-event.ts'

export type TableAdministration = ReturnType<typeof administerTables>

export interface TableAdministrationDependencies {
  readonly store: Store
  readonly config: Config
  readonly clock: Pick<Clock, 'now' | 'uuid'>
  readonly checkScript: CheckScript
  readonly checkFilter: CheckFilter
  readonly checkConditions: CheckConditions
  /** A change may need the records rebuilt. */
  readonly jobs: Pick<Jobs, 'prepare' | 'wake'>
}

/** On whose behalf a table is written; a change may start a job. */
type TableAuthor = Principal & JobStarter

/** What the caller knows beyond the store. */
export interface KnownToCaller {
  /** The names of all tables, so that they are not read again. */
  readonly names?: ReadonlySet<string>
  /** Roles that will exist. */
  readonly roles?: readonly string[]
}

/** Creates, changes and removes tables of a tenant. */
export function administerTables({
  store,
  config,
  clock,
  checkScript,
  checkFilter,
  checkConditions,
  jobs,
}: TableAdministrationDependencies) {
  /** The errors, by path, for which `create` or `change` would refuse a document if these tables and roles existed. */
  async function check(
    tenant: TenantRef,
    document: Omit<TableInput, 'id'>,
    { names, roles = [] }: KnownToCaller & { readonly names: ReadonlySet<string> },
  ): Promise<FieldErrors> {
    const stored = await config.getFresh(tenant, 'TABLE', document.name)
    const row = stored ?? systemTable(document.name)
    const was = row && readTable(row)
    const made = was && row && (await applyRenames(was, row, document))
    const before = made?.before
    const input = { ...document, table_fields: document.table_fields.map(withoutRename), ...made?.given }
    const list = checkTable(input, names)
    for (const [path, messages] of Object.entries(made?.errors ?? {}))
      for (const message of messages) list.add(path, message)
    const reserved = before ? undefined : reservedTableName(input.name)
    if (reserved !== undefined) list.add('name', reserved)
    checkScripts(checkScript, input.automations, before?.automations ?? [], list)
    await checkFormulas(input.table_fields, list.add.bind(list))
    await checkFieldRules(checkConditions, input, list)
    const known = async () => [...(await roleNames(tenant)), ...roles]
    await checkTransitionRoles(input.table_fields, before?.table_fields ?? [], known, list)
    if (before) {
      const { isEmpty, isFresh } = await recordsOf(tenant, input.name)
      if (!isFresh) checkPermanent(before, input, list)
      if (!isEmpty) {
        checkChange(before, input, list)
        checkRetired(retiredFields(before, input.table_fields, before.version + 1), list)
      }
    }
    return list.errors
  }

  /**
   * Throws Conflict when the name is taken, Invalid naming every path that is wrong.
   */
  async function create(caller: TableAuthor, given: TableInput, known: KnownToCaller = {}): Promise<Table> {
    const { tenant } = caller
    const input = { ...given, table_fields: given.table_fields.map(withoutRename) }
    const called = publicTable(tenant, input.name)
    const reserved = reservedTableName(called)
    if (reserved !== undefined) throw new Invalid({ name: [reserved] })
    refuseFormerName(tenant, called, clock.now())
    const tables = await allTables(tenant)
    const names = known.names ?? namesOf(tables)
    if (names.has(input.name)) throw nameTaken(called)
    const others = tables.filter(({ name }) => name !== input.name)
    const next: RolledTable = { name: input.name, table_fields: withResults(input, others) }
    const list = checkTable(input, new Set([...names, input.name]))
    await checkRollups(next, others, checkFilter, list)
    checkScripts(checkScript, input.automations, [], list)
    await checkFormulas(input.table_fields, list.add.bind(list))
    await checkFieldRules(checkConditions, input, list)
    await checkTransitionRoles(
      input.table_fields,
      [],
      async () => [...(await roleNames(tenant)), ...(known.roles ?? [])],
      list,
    )
    if (list.any) throw new Invalid(list.errors)
    const [id, automations] = await Promise.all([
      allocateIds(store, tenant, 'sys_tables'),
      numberAutomations(store, tenant, input.automations, []),
    ])
    const doc: StoredTable = {
      id: firstCustomTableId - 1 + id,
      label: input.label ?? defaultLabel(called),
      title_field: input.title_field ?? defaultTitleField(input.table_fields),
      table_fields: next.table_fields,
      automations,
      retired: [],
      ...ownRollers(input.name, undefined, [...others, next]),
    }
    return save(caller, input.name, doc, 1, undefined, null, await bindRollups({ config, clock }, caller, next), called)
  }

  /**
   * Nothing is written when nothing changes. Throws NotFound, Invalid naming every path that is wrong, Conflict when
   * `input.version` is stale, or PreconditionFailed when `If-Match` is.
   */
  async function change(
    caller: TableAuthor,
    name: string,
    document: TableChange,
    known: KnownToCaller & { readonly ifMatch?: VersionMatch } = {},
  ): Promise<Table> {
    const { tenant } = caller
    const stored = await config.getFresh(tenant, 'TABLE', name)
    const row = stored ?? systemTable(name)
    if (!row) throw new NotFound('table', { model: name })
    const was = readTable(row)
    const called = publicTable(tenant, name)
    const isRenamed = document.name !== undefined && document.name !== name
    // The contract answers 409 here, where `If-Match` is 412 as everywhere.
    if (document.version !== undefined && document.version !== was.version)
      throw new Conflict('stale_version', `The table has changed: its version is ${was.version}.`)
    requireCurrentVersion('table', was, { ifMatch: known.ifMatch })
    const [all, { isEmpty, isFresh }] = await Promise.all([allTables(tenant), recordsOf(tenant, name)])
    const nextName = isRenamed ? await checkedName(tenant, name, document.name as string, all) : called
    const { before, renames, formerNames, errors, given } = await applyRenames(was, row, document)
    if (Object.keys(errors).length > 0) throw new Invalid(errors)
    const input = { ...document, ...given }
    const others = withRenames(was, renames, all)
    const names = known.names ?? new Set([...namesOf(others), name])
    const next = {
      ...input,
      name,
      // A document without `table_fields` or `automations` keeps them. A field missing from a given list is retired.
      table_fields: withResults({ name, table_fields: input.table_fields ?? before.table_fields }, others),
      automations: input.automations ?? [...before.automations],
    }
    const list = checkTable(next, names)
    await checkRollups(next, others, checkFilter, list)
    checkScripts(checkScript, next.automations, before.automations, list)
    await checkFormulas(next.table_fields, list.add.bind(list))
    await checkFieldRules(checkConditions, next, list)
    const roles = async () => [...(await roleNames(tenant)), ...(known.roles ?? [])]
    await checkTransitionRoles(next.table_fields, before.table_fields, roles, list)
    const version = before.version + 1
    const retired = isEmpty ? [] : retiredFields(before, next.table_fields, version)
    const stored_as = storedNamesAfter(before, next.table_fields, version)
    if (!isEmpty) checkChange(before, next, list)
    if (!isFresh) checkPermanent(before, next, list)
    checkRetired(retired, list)
    if (list.any) throw new Invalid(list.errors)
    const kept = new Set(next.table_fields.map((field) => field.name))
    const title_field = input.title_field === undefined ? keptTitleField(before, kept) : input.title_field
    const plan = planRebuild(before, { table_fields: next.table_fields, title_field, stored_as }, version, isEmpty)
    const job = plan.parts && (await prepareRebuild(caller, name))
    const doc: StoredTable = {
      id: before.id,
      label: input.label ?? (before.label === defaultLabel(called) ? defaultLabel(nextName) : before.label),
      title_field,
      table_fields: next.table_fields,
      automations: await numberAutomations(store, tenant, next.automations, before.automations),
      retired,
      ...(Object.keys(stored_as).length > 0 && { stored_as }),
      ...(Object.keys(formerNames).length > 0 && { renamed: formerNames }),
      ...loggedRenames(before.rename_log, renames, { version, at: isoTime(clock.now()) }),
      ...plan.unique,
      ...(job
        ? { rebuilding: { job_id: job.id, ...plan.parts } }
        : !isEmpty && before.rebuilding && { rebuilding: before.rebuilding }),
      ...(before.has_processes && { has_processes: true }),
      ...(before.has_subscriptions && { has_subscriptions: true }),
      ...ownRollers(name, before.rolled_up_by, [...others, next]),
    }
    if (!job && !isRenamed && isSame(doc, readStoredTable(row))) return was
    const following = await followRenames(config, tenant, renamesOf(was, renames, tablesByName(all)), {
      userId: caller.userId,
      at: isoTime(clock.now()),
    })
    const bound = await bindRollups({ config, clock }, caller, next)
    requireRoom(following, bound)
    const alongside = [
      ...(job ? [job.write] : []),
      ...bound,
      ...following,
      // A table that is created at the same time with the new name would be stored under it.
      ...(isRenamed ? [{ check: configKey(tenant, 'TABLE', document.name as string), if: isNew }] : []),
    ]
    const changed = await save(
      caller,
      name,
      doc,
      version,
      was,
      stored ? before.version : null,
      alongside,
      isRenamed ? nextName : undefined,
    )
    if (job) await jobs.wake(tenant, job.id)
    return changed
  }

  /**
   * What `change` would make of a table, without what its records forbid: that is for a preview to tell. Throws as
   * `change` does. `rollups`: those of other tables that would not work any more.
   */
  async function preview(
    caller: TableAuthor,
    name: string,
    document: TableChange,
  ): Promise<{
    /** The table as it is, by the new names of renamed fields. */
    readonly before: Table
    readonly was: Table
    readonly renames: Renames
    readonly next: Pick<TableInput, 'table_fields' | 'automations'>
    readonly rollups: readonly { readonly id: number | null; readonly name: string; readonly path: string }[]
  }> {
    const { tenant } = caller
    const row = (await config.getFresh(tenant, 'TABLE', name)) ?? systemTable(name)
    if (!row) throw new NotFound('table', { model: name })
    const was = readTable(row)
    if (document.version !== undefined && document.version !== was.version)
      throw new Conflict('stale_version', `The table has changed: its version is ${was.version}.`)
    const all = await allTables(tenant)
    if (document.name !== undefined && document.name !== name) await checkedName(tenant, name, document.name, all)
    const { before, renames, errors, given } = await applyRenames(was, row, document)
    if (Object.keys(errors).length > 0) throw new Invalid(errors)
    const input = { ...document, ...given }
    const others = withRenames(was, renames, all)
    const next = {
      ...input,
      name,
      table_fields: withResults({ name, table_fields: input.table_fields ?? before.table_fields }, others),
      automations: input.automations ?? [...before.automations],
    }
    const list = checkTable(next, new Set([...namesOf(others), name]))
    await checkRollups(next, [], checkFilter, list)
    checkScripts(checkScript, next.automations, before.automations, list)
    await checkFormulas(next.table_fields, list.add.bind(list))
    if (list.any) throw new Invalid(list.errors)
    const rollups: { id: number | null; name: string; path: string }[] = []
    for (const other of others)
      for (const [index, field] of other.table_fields.entries()) {
        const lost = new ErrorList()
        if (field.type !== 'rollup' || field.table !== name) continue
        await checkRollups(next, [{ name: other.name, table_fields: [field] }], checkFilter, lost)
        if (lost.any) rollups.push({ id: other.id ?? null, name: other.name, path: `table_fields.${index}` })
      }
    return { before, was, renames, next, rollups }
  }

  /** The job that will apply the change to the records. Its row is written together with the change. */
  async function prepareRebuild(caller: TableAuthor, name: string): Promise<PreparedJob> {
    const { live } = await readSequence(store, caller.tenant, name)
    return jobs.prepare(caller.tenant, caller, rebuildKind, { model: name } satisfies RebuildInput, { total: live })
  }

  /** Throws Conflict for a built-in table and while the table has records, Invalid while something refers to it. */
  async function remove(caller: TableAuthor, name: string, ifMatch?: VersionMatch): Promise<void> {
    const { tenant } = caller
    const row = await config.getFresh(tenant, 'TABLE', name)
    if (isSystemName(name) && (row ?? systemTable(name))) throw new Conflict('built_in', `${name} is a built-in table.`)
    if (!row) throw new NotFound('table', { model: name })
    requireCurrentVersion('table', row, { ifMatch })
    if (!(await recordsOf(tenant, name)).isEmpty)
      throw new Conflict('table_not_empty', `The table ${name} still holds records.`)
    await requireUnused(config, tenant, { kind: 'table', name })
    const before = readTable(row)
    const named =
      tenant.renamedTables &&
      (await namesAfter(
        tenant,
        [publicTable(tenant, name)],
        (names) => names && withoutTable(names, name, clock.now()),
      ))
    await config.change(
      tenant,
      [
        removeConfigRow(tenant, 'TABLE', name, row.version),
        closeTable(tenant, name),
        tableEvent(clock, caller, before, undefined),
      ],
      concurrentChange,
      named?.change,
    )
  }

  /** The new name of a table that is to be renamed. Throws when it may not have it. */
  async function checkedName(tenant: Tenant, stored: string, next: string, tables: readonly Table[]): Promise<string> {
    await checkTableName(config, tenant, { stored, next, tables, nowMs: clock.now() })
    return publicTable(tenant, next)
  }

  /** The names of the tenant's tables after a change, by `changeNames`. Throws Conflict when they have changed meanwhile. */
  async function namesAfter(tenant: Tenant, names: readonly string[], after: ChangeNames) {
    const named = await changeNames(store, tenant, names, after)
    if (!named) throw concurrentChange()
    return named
  }

  /**
   * `existing` is the version of the stored row; null when there is none, as for an unchanged built-in table. `called`: the
   * name of a table that is new or renamed.
   */
  async function save(
    caller: TableAuthor,
    name: string,
    doc: StoredTable,
    version: number,
    before: Table | undefined,
    existing: number | null,
    others: readonly Write[] = [],
    called?: string,
  ): Promise<Table> {
    const { tenant } = caller
    const was = before && publicTable(tenant, name)
    const named =
      called === undefined
        ? undefined
        : await namesAfter(tenant, [...(was === undefined ? [] : [was]), called], (names) =>
            withTableName(names, { stored: name, name: called, was, nowMs: clock.now() }),
          )
    const audit = { userId: caller.userId, at: isoTime(clock.now()) }
    const row = { name, version, doc, ...timesAt(before, audit.at) }
    const after = readTable(row)
    await config.change(
      caller.tenant,
      [
        putConfigRow(caller.tenant, 'TABLE', row, existing, audit),
        noteTable(caller.tenant, after),
        ...others,
        tableEvent(clock, caller, before, after, called),
      ],
      concurrentChange,
      named?.change,
    )
    // The rest of the request, and its answer, call the table so.
    if (named) (tenant as { renamedTables?: RenamedTables }).renamedTables = named.names
    return after
  }

  async function roleNames(tenant: TenantRef): Promise<readonly string[]> {
    return (await config.listFresh(tenant, 'ROLE')).map(({ name }) => name)
  }

  async function allTables(tenant: TenantRef): Promise<readonly Table[]> {
    const rows = [...allSystemTables(), ...(await config.listFresh(tenant, 'TABLE'))]
    return [...new Map(rows.map((row) => [row.name, row])).values()].map(readTable)
  }

  /** Whether the table has neither living records nor rows of unfinished deletes, and whether it never had any. */
  async function recordsOf(tenant: TenantRef, name: string): Promise<{ isEmpty: boolean; isFresh: boolean }> {
    const { live, last } = await readSequence(store, tenant, name)
    return { isEmpty: live === 0 && !(await hasRecords(store, tenant, name, last)), isFresh: last === 0 }
  }

  return { check, create, change, preview, remove }
}

/** The other tables, whose rollups have the new names. */
const withRenames = (was: Table, renames: Renames, tables: readonly Table[]): readonly RolledTable[] => {
  const change = renamesOf(was, renames, tablesByName(tables))
  return tables
    .filter(({ name }) => name !== was.name)
    .map((table) =>
      renames.size === 0 ? table : { ...table, table_fields: renameInRollups(table.table_fields, change) },
    )
}

const tablesByName = (tables: readonly Table[]): ReadonlyMap<string, Table> =>
  new Map(tables.map((table) => [table.name, table]))

/** Throws Invalid when one transaction cannot hold the rows that follow a rename. */
function requireRoom(following: readonly Write[], others: readonly Write[]): void {
  if (following.length > maxRenameFollowers)
    throw new Invalid({
      table_fields: [
        `The rename changes ${following.length} tables, roles, views, subscriptions and rules that name the field, and at most ${maxRenameFollowers} change at once. Remove some of them first.`,
      ],
    })
  const keyOf = (write: Write): string => ('put' in write ? `${write.put.pk} ${write.put.sk}` : '')
  const taken = new Set(following.map(keyOf))
  if (others.some((write) => taken.has(keyOf(write))))
    throw new Invalid({
      table_fields: ['A new rollup and a rename change the same other table. Make them in two changes.'],
    })
}

/** Renames of a table that are kept; a private view that was saved before all of them is read with these. */
const maxLoggedRenames = 200

function loggedRenames(
  before: StoredTable['rename_log'] = [],
  renames: Renames,
  made: { readonly version: number; readonly at: string },
): Pick<StoredTable, 'rename_log'> {
  const after = renames.size === 0 ? before : [...before, { ...made, renames: Object.fromEntries(renames) }]
  return after.length === 0 ? {} : { rename_log: after.slice(-maxLoggedRenames) }
}

/** Whether two documents of a table say the same. A table that never had unique fields has no list of them. */
function isSame(after: StoredTable, before: StoredTable): boolean {
  const never = { becoming_unique: [], unique_since: {} }
  return isDeepStrictEqual({ ...never, ...after }, { ...never, ...before })
}

const namesOf = (tables: readonly RolledTable[]): ReadonlySet<string> => new Set(tables.map(({ name }) => name))

const concurrentChange = (): Conflict =>
  new Conflict('write_conflict', 'The table was changed at the same time. Read it again, then repeat your change.')
