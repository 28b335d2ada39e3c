import { Invalid } from '../../../../kernel/failures/faults.ts'
import type { Problem } from '../../../../kernel/failures/sentence.ts'
import { maxKeyMatches } from '../../../../kernel/limits/imports.ts'
import type { Queries } from '../../../../lists/query/service.ts'
import { inspectJson } from '../../../../platform/http/routing/json/inspect-json.ts'
import type { Key } from '../../../../platform/store/keys/key.ts'
import { recordKey, uniqueKey } from '../../../../platform/store/keys/records.ts'
import { readSurvivor } from '../../../../platform/store/ranges/merged-records.ts'
import { isLiving, readMergedInto, readRecordData } from '../../../../platform/store/rows/record-row.ts'
import { readHolder, uniqueItem } from '../../../../platform/store/rows/unique-row.ts'
import type { Write } from '../../../../platform/store/store.ts'
import type { Item } from '../../../../platform/store/values/marshal.ts'
import { below, equals, isNew, or } from '../../../../platform/store/writes/conditions.ts'
import type { Actor } from '../../../../records/records/actor.ts'
import type { RecordDependencies } from '../../../../records/records/dependencies.ts'
import { idsOfHolder, mergedByValues, readableHolders } from '../../../../records/records/read/merged-holders.ts'
import { guardedText, guardKey } from '../../../../records/records/write/unique-guards.ts'
import type { Table } from '../../../../tables/tables/table.ts'
import type { RowFailure } from '../../schema.ts'
import { failureOf, type Target } from '../outcomes/row-outcome.ts'
import { type ImportKey, type ImportPlan, keyOfRow } from './import-plan.ts'

/** What finding records by their keys needs. */
export type KeyedDependencies = RecordDependencies & { readonly queries: Pick<Queries, 'parse' | 'page'> }

/** What the key of a row says: a new record, one that there is, or why neither. */
export type Found =
  | { readonly is: 'new'; readonly claim?: (id: number) => Write }
  | { readonly is: 'target'; readonly target: Target }
  | { readonly is: 'failed'; readonly failure: RowFailure }

/** For how long a record that an upsert creates by a key that is not unique is found by it alone, in seconds: lists know it by then. */
const claimSeconds = 3600

/** Finds the records of some rows in a few reads, however many the rows are. `from` is the number of the first row. */
export async function findByKey(
  services: KeyedDependencies,
  actor: Actor,
  table: Table,
  plan: ImportPlan & { readonly key: ImportKey },
  rows: readonly unknown[],
  from: number,
): Promise<Found[]> {
  const { key, mode, repeated } = plan
  const { name } = key
  const refuse = (index: number, problem: Problem): Found => ({
    is: 'failed',
    failure: failureOf(from + index, new Invalid({ [name]: [problem] })),
  })
  const read = rows.map((row, index): Found | { readonly value: unknown; readonly text: string } => {
    try {
      if (typeof row === 'object' && row !== null) inspectJson(row)
    } catch (error) {
      return { is: 'failed', failure: failureOf(from + index, error) }
    }
    const found = keyOfRow(table, key, row)
    if (!found) {
      if (key.is === 'id' && mode === 'upsert') return { is: 'new' }
      return refuse(index, `The row needs its key: ${name} names the record.`)
    }
    if ('error' in found) return refuse(index, found.error)
    const earlier = repeated.get(from + index)
    return earlier === undefined ? found : refuse(index, `Row ${earlier} has the same ${name}. Send each record once.`)
  })
  const asked = read.flatMap((one) => ('text' in one ? [one] : []))
  const matches = await matchesOf(services, actor, table, key, asked)
  const claims =
    key.is === 'any' && mode === 'upsert' ? await openClaims(services, actor, table, name, asked, matches) : undefined
  const shown = key.is === 'id' ? await shownMerged(services, actor, table, [...matches.values()].flat()) : new Set()
  const found = read.map((one, index): Found => {
    if (!('text' in one)) return one
    const [target, another] = matches.get(one.text) ?? []
    if (another) return refuse(index, `Several records have this ${name}: ${target?.id}, ${another.id}. Use the id.`)
    if (target?.merged && key.is === 'id')
      return shown.has(target.merged)
        ? refuse(index, `Record ${one.text} was merged into record ${target.id}, and is not changed any more.`)
        : { is: 'failed', failure: notFound(from + index, name) }
    if (target) return { is: 'target', target }
    if (mode === 'update' || key.is === 'id') return { is: 'failed', failure: notFound(from + index, name) }
    const claim = claims?.(one.text)
    return { is: 'new', ...(claim && { claim }) }
  })
  return onceEach(found, from, refuse)
}

/** The rows of merged records, as far as the actor may read them and what they are part of. */
async function shownMerged(
  { access }: KeyedDependencies,
  actor: Actor,
  table: Table,
  targets: readonly Target[],
): Promise<ReadonlySet<unknown>> {
  const holders = targets.flatMap(({ merged, item }) => (merged ? [{ merged, survivor: item }] : []))
  return new Set((await readableHolders(access, actor, table.name, holders)).map(({ merged }) => merged))
}

/** Of rows whose records are one since a merge, the one that has the key of that record passes, else the first. */
function onceEach(found: readonly Found[], from: number, refuse: (index: number, message: string) => Found): Found[] {
  const passing = new Map<number, number>()
  for (const [index, one] of found.entries()) {
    if (one.is !== 'target') continue
    const { id, merged } = one.target
    if (!merged || !passing.has(id)) passing.set(id, index)
  }
  return found.map((one, index) => {
    if (one.is !== 'target') return one
    const { id, merged } = one.target
    const passes = passing.get(id)
    if (!merged || passes === undefined || passes === index) return one
    return refuse(index, `Since a merge this is the same record as that of row ${from + passes}. Send one of them.`)
  })
}

/** The failure of a row whose record does not exist, or is not for the actor to change: nobody learns which. */
export const notFound = (row: number, key: string): RowFailure =>
  failureOf(row, new Invalid({ [key]: [`No record that you may change has this ${key}.`] }))

type Asked = readonly { readonly value: unknown; readonly text: string }[]
type Matches = Map<string, Target[]>

async function matchesOf(
  services: KeyedDependencies,
  actor: Actor,
  table: Table,
  key: ImportKey,
  asked: Asked,
): Promise<Matches> {
  const { store } = services
  const { tenant } = actor
  const matches: Matches = new Map()
  if (asked.length === 0) return matches
  let ids: readonly number[]
  if (key.is === 'id') ids = asked.map(({ value }) => value as number)
  else if (key.is === 'one') {
    const guards = await store.getMany(
      tenant,
      asked.map(({ text }) => guardKey(tenant, table, key.name, text)),
      ['pk', 'sk', 'id'],
    )
    ids = guards.flatMap((guard) => (guard ? [readHolder(guard)] : []))
  } else ids = await idsOf(services, actor, table, key.name, asked)
  if (key.is === 'any') ids = [...ids, ...(await mergedIds(services, actor, table, key.name, asked))]
  const found = await readAll(services, actor, table, ids)
  for (const { id, target, named } of found) {
    const text = key.is === 'id' ? String(id) : guardedText(table, key.name, readRecordData(named, table)[key.name])
    if (text === undefined) continue
    matches.set(text, [...(matches.get(text) ?? []), target])
  }
  return matches
}

/** A record that a key names: itself, or the one that it was merged into, which has its key no more than its number. */
interface Named {
  readonly id: number
  /** The row that has the key. */
  readonly named: Item
  readonly target: Target
}

async function readAll(
  { store }: KeyedDependencies,
  { tenant }: Actor,
  { name }: Table,
  ids: readonly number[],
): Promise<readonly Named[]> {
  const each = [...new Set(ids)]
  const items =
    each.length === 0
      ? []
      : await store.getMany(
          tenant,
          each.map((id) => recordKey(tenant, name, id)),
        )
  const found = await Promise.all(
    each.map(async (id, index): Promise<Named[]> => {
      const item = items[index]
      if (isLiving(item)) return [{ id, named: item, target: { id, item } }]
      const survivor =
        item && readMergedInto(item) !== undefined ? await readSurvivor(store, tenant, { model: name, id }) : undefined
      if (!item || !survivor) return []
      return [{ id, named: item, target: { id: survivor.ref.id, item: survivor.item, merged: item } }]
    }),
  )
  return found.flat()
}

/** The merged records that have a number which the service gave: no list has them. */
async function mergedIds(
  { store }: KeyedDependencies,
  { tenant }: Actor,
  table: Table,
  field: string,
  asked: Asked,
): Promise<readonly number[]> {
  const values = asked.map(({ value }) => ({ field, value }))
  const holders = await mergedByValues(store, tenant, table, values)
  return holders.flatMap((holder) => (holder ? [idsOfHolder(holder).id] : []))
}

async function idsOf(
  { queries }: KeyedDependencies,
  actor: Actor,
  table: Table,
  name: string,
  asked: Asked,
): Promise<readonly number[]> {
  const query = await queries.parse(actor, table, {
    filter: { [name]: { _in: asked.map(({ value }) => value) } },
    fields: ['id'],
    sort: ['id'],
  })
  const ids: number[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<Queries['page']>> = await queries.page(actor.tenant, table, query, {
      offset: 0,
      limit: 1000,
      cursor,
    })
    ids.push(...page.rows.map(({ id }) => id))
    cursor = page.nextCursor
    if (ids.length > maxKeyMatches)
      throw new Invalid({
        key: [`The ${name} field is no key: more than ${maxKeyMatches} records have the values of a few rows.`],
      })
  } while (cursor !== null)
  return ids
}

/**
 * Claims on keys that are not unique: the record that one upsert creates is found by another before lists know it, and of
 * two that run at once one creates it. Adds what earlier claims name to the matches.
 */
async function openClaims(
  services: KeyedDependencies,
  actor: Actor,
  table: Table,
  name: string,
  asked: Asked,
  matches: Matches,
): Promise<(text: string) => (id: number) => Write> {
  const { store, clock } = services
  const { tenant } = actor
  const nowSeconds = Math.floor(clock.now() / 1000)
  const keyOf = (text: string): Key => uniqueKey(tenant, table.name, `${name}@import`, text)
  const open = asked.filter(({ text }) => !matches.has(text))
  const rows =
    open.length === 0
      ? []
      : await store.getMany(
          tenant,
          open.map(({ text }) => keyOf(text)),
        )
  const held = rows.flatMap((row, index) =>
    row ? [{ text: (open[index] as Asked[number]).text, id: readHolder(row) }] : [],
  )
  const found = await readAll(
    services,
    actor,
    table,
    held.map(({ id }) => id),
  )
  const stale = new Map<string, number>()
  for (const { text, id } of held) {
    const one = found.find((other) => other.id === id)
    if (one && guardedText(table, name, readRecordData(one.named, table)[name]) === text)
      matches.set(text, [one.target])
    else stale.set(text, id)
  }
  return (text) => (id) => {
    const earlier = stale.get(text)
    const isOpen = or(isNew, below('expires_at', nowSeconds))
    return {
      put: { ...uniqueItem(keyOf(text), id), expires_at: nowSeconds + claimSeconds },
      if: earlier === undefined ? isOpen : or(isOpen, equals('id', earlier)),
    }
  }
}
