import { Invalid } from '../../../../kernel/failures/faults.ts'
import { maxKeyMatches } from '../../../../kernel/limits/imports.ts'
import type { Queries } from '../../../../lists/query/service.ts'
import { inspectJson } from '../../../../platform/http/routing/json/inspect-json.ts'
import type { Key } from '../../../../platform/store/keys/key.ts'
import { recordKey, uniqueKey } from '../../../../platform/store/keys/records.ts'
import { isLiving, readRecordData } from '../../../../platform/store/rows/record-row.ts'
import { readHolder, uniqueItem } from '../../../../platform/store/rows/unique-row.ts'
import type { Write } from '../../../../platform/store/store.ts'
import type { Item } from '../../../../platform/store/values/marshal.ts'
import { below, equals, isNew, or } from '../../../../platform/store/writes/conditions.ts'
import { type Actor, guardedText, guardKey, type RecordDependencies } from '../../../../records/records/service.ts'
import type { Table } from '../../../../tables/tables/service.ts'
import type { RowFailure } from '../../schema.ts'
import type { Target } from '../outcomes/checked-row.ts'
import { failureOf } from '../outcomes/row-failure.ts'
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
  const refuse = (index: number, message: string): Found => ({
    is: 'failed',
    failure: failureOf(from + index, new Invalid({ [name]: [message] })),
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
  return read.map((one, index): Found => {
    if (!('text' in one)) return one
    const [target, another] = matches.get(one.text) ?? []
    if (another) return refuse(index, `Several records have this ${name}: ${target?.id}, ${another.id}. Use the id.`)
    if (target) return { is: 'target', target }
    if (mode === 'update' || key.is === 'id') return { is: 'failed', failure: notFound(from + index, name) }
    const claim = claims?.(one.text)
    return { is: 'new', ...(claim && { claim }) }
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
  const items = await readAll(services, actor, table, ids)
  for (const [id, item] of items) {
    const text = key.is === 'id' ? String(id) : guardedText(table, key.name, readRecordData(item, table)[key.name])
    if (text === undefined) continue
    matches.set(text, [...(matches.get(text) ?? []), { id, item }])
  }
  return matches
}

async function readAll(
  { store }: KeyedDependencies,
  { tenant }: Actor,
  { name }: Table,
  ids: readonly number[],
): Promise<readonly (readonly [number, Item])[]> {
  const each = [...new Set(ids)]
  const items =
    each.length === 0
      ? []
      : await store.getMany(
          tenant,
          each.map((id) => recordKey(tenant, name, id)),
        )
  return each.flatMap((id, index) => {
    const item = items[index]
    return isLiving(item) ? [[id, item] as const] : []
  })
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
  const items = new Map(
    await readAll(
      services,
      actor,
      table,
      held.map(({ id }) => id),
    ),
  )
  const stale = new Map<string, number>()
  for (const { text, id } of held) {
    const item = items.get(id)
    if (item && guardedText(table, name, readRecordData(item, table)[name]) === text) matches.set(text, [{ id, item }])
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
