import type { PageQuery } from '../http/paging/page-query.ts'
import type { Page } from '../http/routing/envelope.ts'
import { mayOnTable } from '../kernel/permissions.ts'
import type { Caller, Viewer } from '../kernel/principal.ts'
import type { Tenant } from '../kernel/tenancy.ts'
import type { ListBody, ListedRecord, ListParameters, RawQuery } from '../query/schema.ts'
import { type Row, type QueryDependencies, createQueries } from '../query/service.ts'
import { createRowAccess } from '../row-rules/service.ts'
import type { ScriptToRun } from '../scripts/schema.ts'
import { recordKey } from '../store/keys/records.ts'
import type { Item } from '../store/marshal.ts'
import type { Sequence } from '../store/sequence.ts'
import type { Actor } from './actor.ts'
import { continueRemoval } from './delete/continue-removal.ts'
import { removeRecord } from './delete/remove-record.ts'
import type { EntityDependencies } from './dependencies.ts'
import { dryRunScript } from './hooks/dry-run-script.ts'
import type { LoadScripts } from './hooks/hook-run.ts'
import { createHooks } from './hooks/hooks.ts'
import { scriptRecords } from './hooks/script-records.ts'
import { listByBody, listByParameters, type ListAnswer } from './read/list-records.ts'
import {
  historyReadsAt,
  recordAt,
  restoreRecord,
  currentItem,
  type FetchObject,
  type Restored,
} from './read/point-in-time.ts'
import { recordQueries } from './read/record-queries.ts'
import { answerRecord, readLivingRecord, readRecord, type RecordData, type StoredRecord } from './record-item.ts'
import type { EntityRecord } from './schema.ts'
import { changeRecord, type ChangeOptions } from './write/change-record.ts'
import { createIdempotent } from './write/create-idempotent.ts'
import { createRecord } from './write/create-record.ts'

export { findDueRemovals } from './delete/find-due-removals.ts'
export { removeRecord } from './delete/remove-record.ts'
export type { EntityDependencies, StartProcess } from './dependencies.ts'
export type { Actor } from './actor.ts'
export { findDueHooks } from './hooks/find-due-hooks.ts'
export type { HookParts, LoadScripts } from './hooks/hook-run.ts'
export type { HookedOperation } from './hooks/hooked-operation.ts'
export { flatRecord } from './hooks/script-records.ts'
export { readFilter } from './read/list-records.ts'
export { listedRecords } from './read/listed-records.ts'
export { readLivingRecord, recordSlots, visibleData, type StoredRecord } from './record-item.ts'
export { changeRecord } from './write/change-record.ts'
export { missingReferences } from './write/check-references.ts'
export { newRecordItem, prepareNewRecord, storeNewRecord, type PreparedRecord } from './write/create-record.ts'
export { etag, readIfMatch } from './write/if-match.ts'
export { keyedRequest, type AnswerCodec } from './write/keyed-request.ts'
export { guardKey, guardWrites, guardedText, takenErrors } from './write/unique-guards.ts'

/** What lists can do without, but not as fast: counters, the search index, the tenant's time zone. */
type QueryPorts = Omit<QueryDependencies, 'store'> & { timeZone?(tenant: Tenant): Promise<string> }

/** Records of every table through one interface: what routes, and later scripts, rules and processes, call. */
export function createEntities({
  loadScripts,
  ...given
}: Omit<EntityDependencies, 'hooks' | 'access'> & QueryPorts & { readonly loadScripts?: LoadScripts }) {
  const { store, tables } = given
  const queries = createQueries(given)
  const access = createRowAccess({ tables, queries })
  const lists = { tables, queries }
  const recordsFor = (actor: Actor) => scriptRecords(deps, recordQueries(deps, queries), actor)
  const hooks = createHooks({ ...given, loadScripts, recordsFor })
  const deps: EntityDependencies = { ...given, access, hooks }

  async function get(viewer: Viewer, model: string, id: number, preloaded?: Item | null): Promise<EntityRecord> {
    const { tenant } = viewer
    const table = await tables.need(tenant, model)
    const item = preloaded === undefined ? await store.get(tenant, recordKey(tenant, model, id)) : preloaded
    await access.need(viewer, model, id, 'read', item)
    return answerRecord(table, readLivingRecord(item) as StoredRecord)
  }

  /** Living records in the order of `ids`, undefined where there is none, or none that the viewer may see. */
  async function findMany(
    viewer: Viewer,
    model: string,
    ids: readonly number[],
  ): Promise<(EntityRecord | undefined)[]> {
    const { tenant } = viewer
    const table = await tables.need(tenant, model)
    const items = await store.getMany(
      tenant,
      ids.map((id) => recordKey(tenant, model, id)),
    )
    return (await access.permitted(viewer, model, 'read', items)).map((item) => {
      const record = readLivingRecord(item)
      return record && answerRecord(table, record)
    })
  }

  const list = (
    caller: Caller,
    model: string,
    parameters: ListParameters,
    sequence: Sequence,
  ): Promise<Page<ListedRecord>> => listByParameters(lists, caller, model, parameters, sequence)

  const listServer = (
    caller: Caller,
    model: string,
    body: ListBody,
    paging: PageQuery,
    sequence: Sequence,
  ): Promise<ListAnswer> => listByBody(lists, caller, model, body, paging, sequence)

  /** Every record of a list that the viewer may see, one by one and in bounded memory: for exports. */
  async function* eachRecord(viewer: Viewer, model: string, raw: RawQuery): AsyncGenerator<EntityRecord> {
    const table = await tables.need(viewer.tenant, model)
    const query = await queries.parse(viewer, table, raw)
    for await (const row of queries.eachRow(viewer.tenant, table, query)) yield answerRecord(table, storedRow(row))
  }

  /** Throws NotFound when the viewer may not see the record: a deleted one as it last was. `rows`: itself and its tombstone. */
  async function requireVisible(
    viewer: Viewer,
    model: string,
    id: number,
    rows: readonly (Item | null | undefined)[],
    fetchObject: FetchObject,
  ): Promise<void> {
    if (access.isLimited(viewer, model, 'read'))
      await access.need(
        viewer,
        model,
        id,
        'read',
        await currentItem({ store, clock: given.clock, fetchObject }, viewer.tenant, model, id, rows),
      )
  }

  /** What a caller's row rules say of writing one record. */
  const permit =
    (caller: Caller, model: string, id: number, action: 'update' | 'delete') => (item: Item | null | undefined) =>
      access.need(caller, model, id, action, item)

  /** `key`: an Idempotency-Key, under which the same request never makes a second record. */
  async function create(caller: Caller, model: string, body: RecordData, key?: string): Promise<EntityRecord> {
    const table = await tables.need(caller.tenant, model)
    return answerRecord(
      table,
      key === undefined
        ? await createRecord(deps, caller, table, body)
        : await createIdempotent(deps, caller, table, body, key),
    )
  }

  async function change(
    caller: Caller,
    model: string,
    id: number,
    body: RecordData,
    options?: ChangeOptions,
  ): Promise<EntityRecord> {
    const table = await tables.need(caller.tenant, model)
    return answerRecord(
      table,
      await changeRecord(deps, caller, table, id, body, {
        ...options,
        permit: permit(caller, model, id, 'update'),
      }),
    )
  }

  async function remove(caller: Caller, model: string, id: number, options?: ChangeOptions): Promise<void> {
    const mayName = (table: string): boolean =>
      mayOnTable(caller, table, 'read') && !access.isLimited(caller, table, 'read')
    return removeRecord(deps, caller, await tables.need(caller.tenant, model), id, {
      ...options,
      permit: permit(caller, model, id, 'delete'),
      mayName,
    })
  }

  /** The record as it was at a moment, ISO 8601 in UTC. */
  async function getAt(
    viewer: Viewer,
    model: string,
    id: number,
    at: string,
    fetchObject: FetchObject,
  ): Promise<EntityRecord> {
    const { tenant } = viewer
    const [table, rows] = await Promise.all([
      tables.need(tenant, model),
      store.getMany(tenant, historyReadsAt(tenant, model, id)),
    ])
    return recordAt(deps, viewer, table, id, at, rows, fetchObject)
  }

  async function restore(
    caller: Caller,
    model: string,
    id: number,
    at: string,
    fetchObject: FetchObject,
  ): Promise<Restored> {
    return restoreRecord(deps, caller, await tables.need(caller.tenant, model), id, at, fetchObject)
  }

  /** A dry run: nothing is stored or sent. */
  const dryRun = async (caller: Caller, script: ScriptToRun) => dryRunScript(deps, await hooks.open(), caller, script)

  /** The room of the scripts, for what runs them beside hooks. */
  const openScripts = () => hooks.open()

  const resumeRemovals = (tenant: Tenant, model: string, id: number, timeIsUp: () => boolean) =>
    continueRemoval(deps, tenant, model, id, timeIsUp)

  return {
    get,
    getAt,
    restore,
    findMany,
    requireVisible,
    access,
    list,
    listServer,
    eachRecord,
    queries,
    create,
    change,
    remove,
    resumeRemovals,
    catchUpHooks: deps.hooks.catchUp,
    dryRun,
    openScripts,
    dependencies: deps,
  }
}

const storedRow = ({ item }: Row): StoredRecord => readRecord(item) as StoredRecord
