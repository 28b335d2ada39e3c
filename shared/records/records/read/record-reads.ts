import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxScriptRows } from '../../../kernel/limits/scripts.ts'
import { permittedFields } from '../../../kernel/permissions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import type { Row } from '../../../lists/query/read/row.ts'
import type { Queries } from '../../../lists/query/service.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { FlatRecord } from '../../../scripts/api/record-access.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { flatRecord, type RecordQueries } from '../hooks/script-records.ts'
import {
  answerRecord,
  asUnmerged,
  readLivingRecord,
  readMergedInto,
  readRecord,
  type StoredRecord,
} from '../record-item.ts'
import type { EntityRecord } from '../schema.ts'

/** Reads single records as a viewer sees them. */
export function createRecordReads({ store, tables, access }: Pick<RecordDependencies, 'store' | 'tables' | 'access'>) {
  /**
   * Reads one record. `preloaded`: its item, when it was read with the caller (docs/decisions/0004). Throws NotFound
   * when it does not exist or the viewer may not see it.
   */
  async function get(viewer: Viewer, model: string, id: number, preloaded?: Item | null): Promise<EntityRecord> {
    const { tenant } = viewer
    const table = await tables.require(tenant, model)
    const item = preloaded === undefined ? await store.get(tenant, recordKey(tenant, model, id)) : preloaded
    await access.require(viewer, model, id, 'read', item)
    return answerRecord(table, readRecord(item, table) as StoredRecord, permittedFields(viewer, model, 'read'))
  }

  /** Reads living records in the order of `ids`: undefined where there is none, or none that the viewer may see. */
  const findMany = (viewer: Viewer, model: string, ids: readonly number[]): Promise<(EntityRecord | undefined)[]> =>
    find(viewer, model, ids, (item) => item)

  /** The same, also records that were merged into others: they keep the files that stayed with them. */
  const findManyWithMerged: typeof findMany = (viewer, model, ids) =>
    find(viewer, model, ids, (item) => item && (readMergedInto(item) === undefined ? item : asUnmerged(item)))

  async function find(
    viewer: Viewer,
    model: string,
    ids: readonly number[],
    judged: (item: Item | undefined) => Item | undefined,
  ): Promise<(EntityRecord | undefined)[]> {
    const { tenant } = viewer
    const table = await tables.require(tenant, model)
    const items = await store.getMany(
      tenant,
      ids.map((id) => recordKey(tenant, model, id)),
    )
    const readable = permittedFields(viewer, model, 'read')
    return (await access.permitted(viewer, model, 'read', items.map(judged))).map((item) => {
      const record = readLivingRecord(item, table)
      return record && answerRecord(table, record, readable)
    })
  }

  return { get, findMany, findManyWithMerged }
}

const defaultLimit = 100

/**
 * `$api.query` and `$api.count`, in the grammar of `list-server`. The actor is an administrator, because the user's
 * permissions do not limit scripts (contract §5).
 */
export function recordQueries({ tables }: Pick<RecordDependencies, 'tables'>, queries: Queries): RecordQueries {
  return {
    async query(actor, model, { filter, sort, limit = defaultLimit, search }) {
      if (!Number.isInteger(limit) || limit < 1) throw new Invalid({ limit: ['The limit must be a positive integer.'] })
      const table = await tables.require(actor.tenant, model)
      const query = await queries.parse(actor, table, { filter, sort: sortNames(sort), search })
      const { rows } = await queries.page(actor.tenant, table, query, {
        offset: 0,
        limit: Math.min(limit, maxScriptRows),
      })
      return rows.map((row) => flat(table, row))
    },
    async count(actor, model, filter) {
      const table = await tables.require(actor.tenant, model)
      const query = await queries.parse(actor, table, { filter })
      return queries.count(actor.tenant, table, query)
    },
  }
}

function sortNames(sort: unknown): string[] | undefined {
  if (sort === undefined || sort === null) return undefined
  if (typeof sort === 'string') return sort.split(',')
  if (Array.isArray(sort) && sort.every((name) => typeof name === 'string')) return sort
  throw new Invalid({ sort: ['The sort must be a string or an array of strings.'] })
}

const flat = (table: Table, { item }: Row): FlatRecord =>
  flatRecord(table, readRecord(item, table) as NonNullable<ReturnType<typeof readRecord>>)
