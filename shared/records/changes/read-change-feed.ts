import { createHash } from 'node:crypto'
import { Forbidden, Invalid } from '../../kernel/failures/faults.ts'
import { permissionMissing } from '../../kernel/failures/permission-missing.ts'
import { maxChangeTables } from '../../kernel/limits/lists.ts'
import { applicableFilters, mayOnTable, permittedFields } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import { thereIsNo } from '../../kernel/text/did-you-mean.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import {
  changePartitions,
  changeSort,
  modelOfChangePartition,
  parseChangeSort,
} from '../../platform/store/keys/columns.ts'
import { type MergedRange, readMerged } from '../../platform/store/ranges/merge-shards.ts'
import { changeSlot, slotAttributes, slotName, slotSort } from '../../platform/store/slots.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import type { Table } from '../../tables/tables/table.ts'
import { momentEnd, readSince, type RecentChange, writeSince } from './change-cursor.ts'
import { changeLagSeconds, type ChangesAnswer, type ChangesQuery } from './schema.ts'
import { type ChangeEntry, tellChanges, type TellingDependencies, type ToldChange } from './tell-changes.ts'

export interface ChangeFeedDependencies extends TellingDependencies {
  readonly tables: Pick<Tables, 'all'>
}

/**
 * How many changes a cursor remembers that were answered before their time was over, so that it fits into an address.
 * Further ones wait until then.
 */
const rememberedChanges = 60
const index = slotName(changeSlot)
const { partition } = slotAttributes(index)

/**
 * Reads what became of the records of some tables since a moment, oldest first. The change slot has one entry a record, at
 * its latest change, whatever its age; entries may come into it up to `changeLagSeconds` late and in any order. So the
 * position never goes beyond that, and the cursor remembers what was answered behind it: no change is left out, and none
 * is answered twice. A call reads keys of about `limit` entries, and for a reader whom row rules limit their records, and
 * the history of those that the rules hide: only what the reader could see since comes as deleted.
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

  const read = (range: Omit<MergedRange, 'prefix'>) => readEntries(services, viewer, chosen, range)
  const after = start.position === '' ? {} : { after: start.position }
  const { entries, hasMore } = await read({ limit, ...after })
  const last = entries.at(-1)
  // Only what is older than the horizon was read, and there is more of it.
  const isBehind = hasMore && last !== undefined && last.sort < horizon
  const known = new Set(start.recent.map(nameOf))
  const tell = async (some: readonly ChangeEntry[]): Promise<readonly ToldChange[]> =>
    tellChanges(
      services,
      viewer,
      some.filter((entry) => !known.has(nameOf(entry))),
      start.position,
    )
  const fresh = [...(await tell(entries))]
  let reached = isBehind ? last.sort : start.position > horizon ? start.position : horizon
  if (isBehind && fresh.at(-1)?.entry !== last) {
    // The position names no record that the reader does not see: it is behind all changes of that moment.
    reached = momentEnd(last.at)
    fresh.push(...(await tell((await read({ after: last.sort, to: reached })).entries)))
  }
  const remembered = start.recent.filter((one) => changeSort(one) > reached)
  const young = fresh.filter(({ entry }) => entry.sort > reached)
  const held = young.slice(Math.max(0, rememberedChanges - remembered.length))
  const given = held.length === 0 ? fresh : fresh.slice(0, -held.length)
  const recent = given.flatMap(({ entry }) => (entry.sort > reached ? [entry] : []))
  return {
    changes: given.map(({ change }) => change),
    next_since: writeSince({ position: reached, recent: [...remembered, ...recent] }, feed),
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

/** The entries of a range, of all tables in the order of their times. */
async function readEntries(
  { store }: Pick<ChangeFeedDependencies, 'store'>,
  { tenant }: Viewer,
  tables: readonly Table[],
  range: MergedRange,
): Promise<{ readonly entries: readonly ChangeEntry[]; readonly hasMore: boolean }> {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const shards = tables.flatMap(({ name }) => changePartitions(tenant, name).map((pk) => ({ pk, index })))
  const entries: ChangeEntry[] = []
  let hasMore = false
  for await (const page of readMerged(store, tenant, shards, range)) {
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
