import { createHash } from 'node:crypto'
import type { RowAccess } from '../../accounts/access/service.ts'
import { Forbidden, Invalid } from '../../kernel/failures/faults.ts'
import { permissionMissing } from '../../kernel/failures/permission-missing.ts'
import { maxChangeTables } from '../../kernel/limits/lists.ts'
import { applicableFilters, mayOnTable, permittedFields } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import { thereIsNo } from '../../kernel/text/did-you-mean.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import {
  changePartitions,
  changeSort,
  modelOfChangePartition,
  parseChangeSort,
} from '../../platform/store/keys/columns.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import { readMerged } from '../../platform/store/ranges/merge-shards.ts'
import { changeSlot, slotAttributes, slotName, slotSort } from '../../platform/store/slots.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Table, Tables } from '../../tables/tables/service.ts'
import { readSince, type RecentChange, writeSince } from './change-cursor.ts'
import { type Change, type ChangesAnswer, changeLagSeconds, type ChangesQuery } from './schema.ts'

export interface ChangeFeedDependencies {
  readonly store: Pick<Store, 'query' | 'getMany'>
  readonly tables: Pick<Tables, 'all'>
  readonly clock: Pick<Clock, 'now'>
  readonly access: Pick<RowAccess, 'isLimited' | 'permitted'>
}

/**
 * How many changes a cursor remembers that were answered before their time was over, so that it fits into an address.
 * Further ones wait until then.
 */
const rememberedChanges = 60
/** Records read at once to see whether rules reach them. */
const recordsAtOnce = 50

const index = slotName(changeSlot)
const { partition } = slotAttributes(index)

/** An entry of the change slot. */
interface Entry extends RecentChange {
  readonly sort: string
  readonly table: Table
}

/**
 * Reads what became of the records of some tables since a moment, oldest first. The change slot has one entry a record, at
 * its latest change, whatever its age; entries may come into it up to `changeLagSeconds` late and in any order. So the
 * position never goes beyond that, and the cursor remembers what was answered behind it: no change is left out, and none
 * is answered twice. A call reads keys of about `limit` entries, and for a reader whom row rules limit their records.
 */
export async function readChangeFeed(
  services: ChangeFeedDependencies,
  viewer: Viewer,
  { since, tables: names, limit }: ChangesQuery,
): Promise<ChangesAnswer> {
  const { clock } = services
  const horizon = isoTime(clock.now() - changeLagSeconds * 1000)
  const start = readSince(since, horizon)
  const chosen = await chooseTables(services, viewer, names, start.feed?.tableIds)
  const feed = { tableIds: chosen.map(({ id }) => id), access: accessHash(viewer, chosen) }
  if (start.feed && start.feed.access !== feed.access) throw expired('What you may read has changed since.')

  const { entries, hasMore } = await readEntries(services, viewer, chosen, start.position, limit)
  const known = new Set(start.recent.map(nameOf))
  const fresh = entries.filter((entry) => !known.has(nameOf(entry)))
  const last = entries.at(-1)?.sort ?? ''
  // Only what is older than the horizon was read, and there is more of it.
  const isBehind = hasMore && last < horizon
  const reached = isBehind ? last : start.position > horizon ? start.position : horizon
  const remembered = start.recent.filter((one) => changeSort(one) > reached)
  const young = fresh.filter(({ sort }) => sort > reached)
  const held = young.slice(Math.max(0, rememberedChanges - remembered.length))
  const given = held.length === 0 ? fresh : fresh.slice(0, -held.length)
  return {
    changes: await describe(services, viewer, given),
    next_since: writeSince(
      { position: reached, recent: [...remembered, ...given.filter(({ sort }) => sort > reached)] },
      feed,
    ),
    has_more: isBehind,
    tables: chosen.map(({ name }) => name),
    lag_seconds: changeLagSeconds,
  }
}

const nameOf = ({ tableId, id, version, isGone }: RecentChange): string => [tableId, id, version, isGone].join('.')

/**
 * The tables of the feed: those named, those of the feed that is continued, or all that the viewer may read. Throws Invalid
 * for unknown ones and too many, and when one of a feed is gone; Forbidden for one that the viewer may not read.
 */
async function chooseTables(
  { tables }: Pick<ChangeFeedDependencies, 'tables'>,
  viewer: Viewer,
  names: readonly string[] | undefined,
  tableIds: readonly number[] | undefined,
): Promise<readonly Table[]> {
  const all = await tables.all(viewer.tenant)
  const readable = all.filter(({ name }) => mayOnTable(viewer, name, 'read'))
  if (names) {
    const chosen = [...new Set(names)].map((name) => {
      const table = all.find((one) => one.name === name)
      if (!table)
        throw new Invalid({
          tables: [
            `The selected tables are invalid: ${thereIsNo(
              'table',
              name,
              readable.map((one) => one.name),
            )}`,
          ],
        })
      if (!readable.includes(table)) throw permissionMissing(name, 'read')
      return table
    })
    if (!tableIds) return chosen
    const isSame = chosen.length === tableIds.length && chosen.every(({ id }) => tableIds.includes(id))
    if (!isSame)
      throw new Invalid(
        { since: ['The since is of a feed of other tables: send it without tables, or begin a feed of these.'] },
        { code: 'invalid_cursor' },
      )
  }
  if (tableIds)
    return tableIds.map((id) => {
      const table = all.find((one) => one.id === id)
      if (!table) throw expired('A table of the feed was removed.')
      if (!readable.includes(table)) throw expired(`You may not read the table ${table.name} any more.`)
      return table
    })
  if (readable.length === 0) throw new Forbidden('forbidden', 'None of your roles may read a table.')
  if (readable.length > maxChangeTables)
    throw new Invalid({
      tables: [`You may read ${readable.length} tables: name at most ${maxChangeTables} of them, in several feeds.`],
    })
  return readable
}

const expired = (why: string): Invalid =>
  new Invalid({ since: [`${why} Read the records anew, and begin again without since.`] }, { code: 'cursor_expired' })

/** Changes with whatever decides which records and fields of the tables the viewer may see. */
function accessHash(viewer: Viewer, tables: readonly Table[]): string {
  const limits = tables.map(({ name }) => {
    const filters = applicableFilters(viewer, name, 'read')
    const fields = permittedFields(viewer, name, 'read')
    return [
      // Rules may name the viewer and the units of the viewer.
      filters ? [filters, viewer.userId, [...viewer.orgUnitIds].toSorted((a, b) => a - b)] : null,
      fields ? [...fields].toSorted() : null,
    ]
  })
  return createHash('sha256').update(JSON.stringify(limits)).digest('base64url').slice(0, 16)
}

/** The next entries behind a position, of all tables in the order of their times. */
async function readEntries(
  { store }: Pick<ChangeFeedDependencies, 'store'>,
  { tenant }: Viewer,
  tables: readonly Table[],
  position: string,
  limit: number,
): Promise<{ readonly entries: readonly Entry[]; readonly hasMore: boolean }> {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const shards = tables.flatMap(({ name }) => changePartitions(tenant, name).map((pk) => ({ pk, index })))
  const entries: Entry[] = []
  let hasMore = false
  for await (const page of readMerged(store, tenant, shards, { limit, ...(position !== '' && { after: position }) })) {
    hasMore = page.hasMore
    for (const item of page.items) {
      const table = byName.get(modelOfChangePartition(String(item[partition])))
      if (!table) continue
      const sort = slotSort(item, changeSlot)
      const change = parseChangeSort(sort)
      entries.push({ ...change, sort, table, tableId: table.id })
    }
  }
  return { entries, hasMore }
}

/** A record that row rules hide from the viewer is a deleted one. */
async function describe(
  { store, access }: Pick<ChangeFeedDependencies, 'store' | 'access'>,
  viewer: Viewer,
  entries: readonly Entry[],
): Promise<Change[]> {
  const hidden = new Set<Entry>()
  const limited = entries.filter(({ isGone, table }) => !isGone && access.isLimited(viewer, table.name, 'read'))
  for (let from = 0; from < limited.length; from += recordsAtOnce) {
    const some = limited.slice(from, from + recordsAtOnce)
    const items = await store.getMany(
      viewer.tenant,
      some.map(({ table, id }) => recordKey(viewer.tenant, table.name, id)),
    )
    for (const name of new Set(some.map(({ table }) => table.name))) {
      const ofTable = some.flatMap((entry, at) => (entry.table.name === name ? [{ entry, item: items[at] }] : []))
      const permitted = await access.permitted(
        viewer,
        name,
        'read',
        ofTable.map(({ item }) => item),
      )
      for (const [at, { entry }] of ofTable.entries()) if (!permitted[at]) hidden.add(entry)
    }
  }
  return entries.map((entry) => ({
    table: entry.table.name,
    id: entry.id,
    version: entry.version,
    deleted: entry.isGone || hidden.has(entry),
    at: entry.at,
  }))
}
