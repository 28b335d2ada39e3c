import { isDeepStrictEqual } from 'node:util'
import { requireCurrentVersion, type VersionMatch } from '../../../kernel/failures/concurrent-change.ts'
import { Conflict, type FieldErrors, Invalid, NotFound } from '../../../kernel/failures/faults.ts'
import type { Principal } from '../../../kernel/principal.ts'
import { publicTable, withoutTable } from '../../../kernel/table-names.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import type { JobStarter } from '../../../platform/jobs/define-job.ts'
import type { Jobs, PreparedJob } from '../../../platform/jobs/service.ts'
import { type Config, removeConfigRow } from '../../../platform/store/config.ts'
import { configKey } from '../../../platform/store/keys/configuration.ts'
import { allocateIds, closeTable, readSequence } from '../../../platform/store/sequence/sequence.ts'
import type { Store } from '../../../platform/store/store.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { checkFormulas } from '../../formulas/service.ts'
import { checkChange, checkPermanent } from '../checks/check-change.ts'
import { type CheckConditions, checkFieldRules } from '../checks/check-field-rules.ts'
import { type CheckFilter, checkRollups, namesOf, type RolledTable, withResults } from '../checks/check-rollups.ts'
import { type CheckScript, checkScripts } from '../checks/check-scripts.ts'
import { checkTable, checkTransitionRoles } from '../checks/check-table.ts'
import { planRebuild, type RebuildInput, rebuildKind } from '../plan-rebuild.ts'
import { applyRenames, loggedRenames, requireRoom, tablesByName } from '../renames/apply-renames.ts'
import { withoutRename } from '../renames/plan-renames.ts'
import { renamesOf } from '../renames/rename-fields.ts'
import { followRenames } from '../renames/rename-in-rows.ts'
import { nameTaken, refuseFormerName } from '../renames/rename-table.ts'
import { checkRetired, retiredFields, storedNamesAfter } from '../retired-fields.ts'
import type { TableChange, TableInput } from '../schema.ts'
import { firstCustomTableId, systemTable } from '../system-tables.ts'
import { isSystemName, readStoredTable, readTable, reservedTableName, type StoredTable, type Table } from '../table.ts'
import { bindRollups, numberAutomations, ownRollers } from './bind-consumers.ts'
import { freshTables, openChange, recordsOf, roleNames } from './open-change.ts'
import { previewChange } from './preview-change.ts'
import { requireUnused } from './require-unused.ts'
import {
  concurrentChange,
  defaultLabel,
  defaultTitleField,
  keptTitleField,
  namesAfter,
  saveTable,
  tableEvent,
} from './save-table.ts'

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
export function administerTables(services: TableAdministrationDependencies) {
  const { store, config, clock, checkScript, checkFilter, checkConditions, jobs } = services

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
    const known = async () => [...(await roleNames(config, tenant)), ...roles]
    await checkTransitionRoles(input.table_fields, before?.table_fields ?? [], known, list)
    if (before) {
      const { isEmpty, isFresh } = await recordsOf(store, tenant, input.name)
      if (!isFresh) checkPermanent(before, input, list)
      if (!isEmpty) {
        checkChange(before, input, list)
        checkRetired(retiredFields(before, input.table_fields, before.version + 1), list)
      }
    }
    return list.problems
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
    const tables = await freshTables(config, tenant)
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
      async () => [...(await roleNames(config, tenant)), ...(known.roles ?? [])],
      list,
    )
    if (list.any) throw new Invalid(list.problems)
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
    return saveTable(
      services,
      caller,
      input.name,
      doc,
      1,
      undefined,
      null,
      await bindRollups({ config, clock }, caller, next),
      called,
    )
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
    const {
      isStored,
      row,
      was,
      tables,
      called,
      renamedTo,
      nextName,
      before,
      renames,
      formerNames,
      input,
      others,
      next,
    } = await openChange(services, tenant, name, document, known.ifMatch)
    const { isEmpty, isFresh } = await recordsOf(store, tenant, name)
    const isRenamed = renamedTo !== undefined
    const names = known.names ?? new Set([...namesOf(others), name])
    const list = checkTable(next, names)
    await checkRollups(next, others, checkFilter, list)
    checkScripts(checkScript, next.automations, before.automations, list)
    await checkFormulas(next.table_fields, list.add.bind(list))
    await checkFieldRules(checkConditions, next, list)
    const roles = async () => [...(await roleNames(config, tenant)), ...(known.roles ?? [])]
    await checkTransitionRoles(next.table_fields, before.table_fields, roles, list)
    const version = before.version + 1
    const retired = isEmpty ? [] : retiredFields(before, next.table_fields, version)
    const stored_as = storedNamesAfter(before, next.table_fields, version)
    if (!isEmpty) checkChange(before, next, list)
    if (!isFresh) checkPermanent(before, next, list)
    checkRetired(retired, list)
    if (list.any) throw new Invalid(list.problems)
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
    const following = await followRenames(config, tenant, renamesOf(was, renames, tablesByName(tables)), {
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
      ...(isRenamed ? [{ check: configKey(tenant, 'TABLE', renamedTo), if: isNew }] : []),
    ]
    const changed = await saveTable(
      services,
      caller,
      name,
      doc,
      version,
      was,
      isStored ? before.version : null,
      alongside,
      isRenamed ? nextName : undefined,
    )
    if (job) await jobs.wake(tenant, job.id)
    return changed
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
    if (!(await recordsOf(store, tenant, name)).isEmpty)
      throw new Conflict('table_not_empty', `The table ${name} still holds records.`)
    await requireUnused(config, tenant, { kind: 'table', name })
    const before = readTable(row)
    const named =
      tenant.renamedTables &&
      (await namesAfter(
        store,
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

  /** What `change` would make of a table: see `previewChange`. */
  const preview = ({ tenant }: TableAuthor, name: string, document: TableChange) =>
    previewChange(services, tenant, name, document)

  return { check, create, change, preview, remove }
}

/** Whether two documents of a table say the same. A table that never had unique fields has no list of them. */
function isSame(after: StoredTable, before: StoredTable): boolean {
  const never = { becoming_unique: [], unique_since: {} }
  return isDeepStrictEqual({ ...never, ...after }, { ...never, ...before })
}
