import { isDeepStrictEqual } from 'node:util'
import type { VersionMatch } from '../../../kernel/failures/concurrent-change.ts'
import { Conflict, Forbidden, PreconditionFailed } from '../../../kernel/failures/faults.ts'
import { mayOnTable, permittedFields } from '../../../kernel/permissions.ts'
import { isLiving } from '../../../platform/store/rows/record-row.ts'
import { withNames } from '../../../platform/store/rows/stored-names.ts'
import { readLatest } from '../../../platform/store/rows/tombstone-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { type FieldChange, readTrailRow } from '../../../platform/trail/trail-event.ts'
import { readChanges } from '../../../records/history/history-row.ts'
import { lastState } from '../../../records/history/last-state.ts'
import { readHistoryRows } from '../../../records/history/read-history-rows.ts'
import { recordAndTombstoneKeys, stateItem } from '../../../records/history/state-at.ts'
import { describeReturned } from '../../../records/records/delete/retention.ts'
import { changeRecord, previewChange } from '../../../records/records/write/change-record.ts'
import { withoutDerived } from '../../../records/records/write/check-fields.ts'
import { withExistingFiles } from '../../../records/records/write/existing-files.ts'
import { previewReturn, returnRecord } from '../../../records/records/write/return-record.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { BatchRecord } from '../rows/page-row.ts'
import type { Kept, ReturnedRecord } from '../schema.ts'
import { type BatchRun, entryOf, goneWith, permitOf, processesOf } from '../work/apply-to-record.ts'
import { type RecordOutcome, unchanged } from '../work/record-outcome.ts'
import { openChain, type Side } from './batch-chain.ts'
import { revertFields, type Version } from './revert-fields.ts'
import { withoutUndone } from './without-undone.ts'

interface FoundVersion extends Version {
  readonly version: number
  readonly action: string
}

/** A record of the batch, as it is now. */
interface Found {
  readonly table: Table
  readonly record: BatchRecord
  /** The record and its tombstone. */
  readonly rows: readonly (Item | null | undefined)[]
  /** The versions since the batch, newest first. */
  readonly versions: readonly FoundVersion[]
}

/**
 * Undoes what a batch did to one record after the other, as far as nobody changed it since; made from history, which has
 * every change. Each is a write of the actor like any other: permissions, row rules, field rules, hooks, history. An unmerge
 * undoes by the right by which the merge acted: references move back without any, as they were moved.
 */
export function openUndo(
  run: BatchRun,
  ownTable: Table,
  undoes: number,
): (record: BatchRecord) => Promise<RecordOutcome> {
  const { services, actor } = run
  const { tenant } = actor
  const { store } = services
  const originOf = openChain({ store, nowMs: services.clock.now() })(tenant)

  const isMovedReference = (table: Table, { id }: BatchRecord): boolean =>
    run.unmerge !== undefined && !(table.name === ownTable.name && id === run.unmerge.into)

  return async (record) => {
    const { model = ownTable.name, action = 'update' } = record
    const table = model === ownTable.name ? ownTable : await services.tables.require(tenant, model)
    const needed = action === 'create' ? 'delete' : 'update'
    if (!isMovedReference(table, record) && !mayOnTable(actor, model, needed))
      throw new Forbidden('forbidden', `You need the permission ${model}.${needed}.`)
    return retryWithJitter(services.clock, async (again) => {
      const found = await find(table, record)
      try {
        if (action === 'create') return await takeAway(found)
        return await (action === 'delete' ? bringBack(found) : revert(found))
      } catch (error) {
        // Somebody wrote the record meanwhile: what is there now decides.
        if (error instanceof PreconditionFailed) return again(error)
        throw error
      }
    })
  }

  async function find(table: Table, record: BatchRecord): Promise<Found> {
    const model = table.name
    const rows = await store.getMany(tenant, recordAndTombstoneKeys(tenant, model, record.id))
    const newest = readLatest(rows[0], rows[1])
    if (!newest) return { table, record, rows, versions: [] }
    const { version: to, changedAt } = newest
    const range = { model, id: record.id, from: record.version ?? 1, to, changedAt }
    const history = await readHistoryRows(services, tenant, range)
    if (history.pending.length > 0)
      throw new Conflict('history_pending', 'The history of this record is still being written. Try again.')
    const versions = await Promise.all(
      history.rows.map(async (item) => {
        const { version, action, userId, batchId } = readTrailRow(item)
        return {
          version,
          action,
          userId,
          origin: await originOf(batchId),
          changes: withNames(table, await readChanges(item, services.fetchObject)),
        }
      }),
    )
    const undone = await originOf(undoes)
    const sideOf = (origin: typeof undone | undefined): Side | undefined => {
      if (origin?.root !== undone?.root) return undefined
      return origin?.side === undone?.side ? 'made' : 'taken back'
    }
    return {
      table,
      record,
      rows,
      versions: withoutUndone(versions).map(({ origin, ...version }) => ({ ...version, side: sideOf(origin) })),
    }
  }

  /** A created record goes, unless somebody changed it since. */
  async function takeAway({ table, record, rows: [item], versions }: Found): Promise<RecordOutcome> {
    if (!isLiving(item)) return unchanged
    const { id } = record
    const foreign = withoutReturns(versions).filter((one) => one.side === undefined && hasNews(table, one))
    const [last] = foreign
    if (last) {
      const names = last.action === 'create' ? [] : foreign.flatMap(({ changes }) => newsOf(table, changes))
      return { as: 'unchanged', kept: keptOf(table, record, names, last.userId) }
    }
    const permit = permitOf(run, table.name, id, 'delete')
    return goneWith(run, table, record, { permit, mayName: () => false, ifMatch: versionOf(item) })
  }

  /** Fields return to their former values, unless somebody changed them since. */
  async function revert({ table, record, rows: [item, tombstone], versions }: Found): Promise<RecordOutcome> {
    const { id } = record
    if (!isLiving(item)) {
      const gone = item ?? tombstone
      const by = gone ? Number(gone.deleted_by) : 0
      return { as: 'unchanged', kept: keptOf(table, record, [], by) }
    }
    const { values, kept } = revertFields(
      withoutReturns(versions).map((one) => ({ ...one, changes: own(table, one.changes) })),
    )
    const { data, missing } = await withExistingFiles(services, actor, table, values)
    // A file that is gone cannot be claimed again. What happened to hidden fields is not told, and not by whom either.
    const names = [...kept.keys(), ...missing].filter((name) => isReadable(table, name))
    const by = names.flatMap((name) => kept.get(name) ?? [])[0] ?? 0
    const alone = names.length === 0 ? {} : { kept: keptOf(table, record, names, by) }
    if (Object.keys(data).length === 0) return { as: 'unchanged', ...alone }
    // A record that fields refer to again is still merged when a dry run looks.
    if (run.isDryRun && run.unmerge) return { as: 'changed', ...alone }
    const isMoved = isMovedReference(table, record)
    const permit = isMoved ? undefined : permitOf(run, table.name, id, 'update')
    if (run.isDryRun) {
      const changes = await previewChange(services, actor, table, id, data, {
        ...(permit && { permit }),
        restores: true,
      })
      return { as: changes.length > 0 ? 'changed' : 'unchanged', ...alone }
    }
    let isWritten = false
    const noted = entryOf(run, table.name, 'update')
    await changeRecord(services, actor, table, id, data, {
      restores: true,
      ifMatch: versionOf(item),
      withoutFieldRules: run.unmerge !== undefined,
      ...(isMoved && { withoutHooks: true, withoutConditions: true }),
      permit: async (current) => {
        isWritten = false
        await permit?.(current)
      },
      writesWith: (after) => {
        isWritten = true
        return noted(after)
      },
    })
    return { as: isWritten ? 'changed' : 'unchanged', ...alone }
  }

  /** A deleted record returns under its id, unless somebody else brought it back since. */
  async function bringBack({ table, record, rows: [found, tombstone], versions }: Found): Promise<RecordOutcome> {
    const { id } = record
    if (found && !isLiving(found)) throw new Conflict('record_busy', 'The record is being deleted. Try again.')
    if (found) {
      const returned = versions.find(({ action }) => action === 'create')
      if (returned?.side !== undefined) return unchanged
      return { as: 'unchanged', kept: keptOf(table, record, [], returned?.userId ?? 0) }
    }
    if (!tombstone) return unchanged
    const [removal] = versions
    if (removal?.side !== 'made') return { as: 'unchanged', kept: keptOf(table, record, [], removal?.userId ?? 0) }
    const state = await lastState(services, tenant, table, id, tombstone)
    const item = stateItem(tenant, table, id, state)
    await permitOf(run, table.name, id, 'update')(item)
    const returning = { id, state, tombstone }
    const { returned, cancelled, missingFiles } = run.isDryRun
      ? { ...(await previewReturn(services, actor, table, returning)), missingFiles: [] }
      : await returnRecord(services, actor, table, returning, entryOf(run, table.name, 'create'))
    const told: ReturnedRecord = {
      id,
      ...(record.model !== undefined && { model: record.model }),
      ...describeReturned(actor, table.name, returned),
      missing_files: [...missingFiles],
      cancelled_processes: await processesOf(run, table, item, cancelled),
    }
    return { as: 'changed', ...(saysMore(told) && { returned: told }) }
  }

  /** What is left alone, as far as the actor may know of it. */
  function keptOf(table: Table, { id, model }: BatchRecord, fields: readonly string[], by: number): Kept {
    return {
      id,
      ...(model !== undefined && { model }),
      fields: [...new Set(fields)].filter((name) => isReadable(table, name)),
      by: by === 0 ? null : by,
    }
  }

  function isReadable({ name: model }: Table, field: string): boolean {
    return permittedFields(actor, model, 'read')?.has(field) ?? true
  }
}

/** Whether anything came back with a record, or did not. */
const saysMore = (told: ReturnedRecord): boolean =>
  told.comments + told.watchers + told.links + told.waiting_links > 0 ||
  told.is_pending ||
  told.missing_files.length + told.cancelled_processes.length > 0

/**
 * The versions with what a delete and the return after it changed together, which mostly is nothing: a record that was gone
 * for a while is the same record.
 */
function withoutReturns(newestFirst: readonly FoundVersion[]): FoundVersion[] {
  const found: FoundVersion[] = []
  for (let at = 0; at < newestFirst.length; at += 1) {
    const one = newestFirst[at] as FoundVersion
    const before = newestFirst[at + 1]
    if (one.action !== 'create' || before?.action !== 'delete') {
      found.push(one)
      continue
    }
    at += 1
    const names = new Set([...Object.keys(one.changes), ...Object.keys(before.changes)])
    const changes = [...names].flatMap((name): [string, FieldChange][] => {
      const [old, now] = [before.changes[name]?.old ?? null, one.changes[name]?.new ?? null]
      return isDeepStrictEqual(old, now) ? [] : [[name, { old, new: now }]]
    })
    if (changes.length > 0) found.push({ ...one, action: 'update', changes: Object.fromEntries(changes) })
  }
  return found
}

/** The changes of fields that the table has and that people write. */
const own = (table: Table, changes: Version['changes']): Version['changes'] =>
  withoutDerived(
    table,
    Object.fromEntries(Object.entries(changes).filter(([name]) => table.fieldsByName.has(name))),
  ) as Version['changes']

const newsOf = (table: Table, changes: Version['changes']): string[] => Object.keys(own(table, changes))

/** Whether a version holds more than values that the service makes. */
const hasNews = (table: Table, { action, changes }: FoundVersion): boolean =>
  action === 'create' || newsOf(table, changes).length > 0

/** Matches the version of an item that was read. */
const versionOf =
  (item: Item): VersionMatch =>
  (version) =>
    version === Number(item.version)
