/** Tables with folds behind them, for tests of what goes wrong in the next one. */
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Keeper } from '../../../../shared/lists/columns/keeper/keeper.ts'
import type { LogRow } from '../../../../shared/lists/columns/log-entry.ts'
import { recordKey, sequenceKey } from '../../../../shared/platform/store/keys/records.ts'
import type { Store } from '../../../../shared/platform/store/store.ts'
import { expectedColumns, expectedWords, livingIn, readColumnItems } from '../../oracles/column-oracle.ts'
import type { SingleTable } from '../../services/stores/single-table.ts'
import { type FrozenClock, frozenClock } from '../frozen-clock.ts'
import {
  Crashed,
  crashingStore,
  goneRow,
  keeperOn,
  livingRow,
  model,
  searchedTable,
  tenantWith,
} from './kept-columns.ts'

export const at = '2026-11-20T08:00:00.000Z'
/** The first id of the chunk that has most records. */
export const first = 16_384
/** Manifests in parts, so that their calls are among those that fail; the next fold leaves out long texts. */
export const limits = { manifestBytes: 10, longColumnBytes: 13_000 }
const standard = { created_by: 1, updated_by: 1, created_at: at, updated_at: at }

/** A table with several folds behind it, one of which crashed, and a log to fold. */
export interface FoldedTable {
  readonly single: SingleTable
  readonly tenant: ReturnType<typeof tenantWith>
  readonly clock: FrozenClock
  /** All rows that were told. */
  readonly told: LogRow[]
  keeper(store?: Store, clock?: FrozenClock): Keeper
  /** Stores records, and appends their rows. */
  change(rows: readonly LogRow[]): Promise<void>
}

let tenants = 0

const long = (): string => randomBytes(3_000).toString('base64url')
export const row = (id: number, version: number, values: Parameters<typeof livingRow>[2]): LogRow =>
  livingRow(id, version, { ...standard, ...values })

export async function openFoldedTable(single: SingleTable): Promise<FoldedTable> {
  const tenant = tenantWith((tenants += 1))
  const clock = frozenClock()
  const told: LogRow[] = []
  const keeper: FoldedTable['keeper'] = (store = single.store, own = clock) => keeperOn(store, { clock: own, limits })
  async function change(rows: readonly LogRow[]): Promise<void> {
    told.push(...rows)
    await putRecords(single, tenant, told)
    await keeper().append(tenant, model, rows)
  }
  await change([1, 2, 3].map((id) => row(first + id, 1, { title: `Printer ${id}`, status: 'open', note: long() })))
  await change([row(1, 1, { title: 'Elsewhere', price: 5 }), row(3 * first, 1, { note: long() })])
  await keeper().foldNow(tenant, model)
  await change([goneRow(first + 2, 2), row(first + 4, 1, { title: 'Toner', urgent: true })])
  const { store } = crashingStore(single, { call: 14, afterwards: true })
  await expect(keeper(store).foldNow(tenant, model)).rejects.toThrow(Crashed)
  clock.advance(61_000)
  await change([
    row(first + 1, 2, { title: 'Printer jam', status: 'closed', note: long() }),
    row(5, 1, { note: long() }),
    row(6, 1, { note: long() }),
  ])
  return { single, tenant, clock, told, keeper, change }
}

/** Stores the records that the rows tell of, and a sequence that ends behind them. */
async function putRecords(single: SingleTable, tenant: FoldedTable['tenant'], told: readonly LogRow[]): Promise<void> {
  const latest = new Map<number, LogRow>()
  for (const one of told) if (one.version >= (latest.get(one.id)?.version ?? 0)) latest.set(one.id, one)
  const [gone, living] = [true, false].map((isGone) => [...latest.values()].filter((one) => one.isGone === isGone))
  const records = living!.map(({ id, version, values }) => {
    const data = Object.fromEntries([...values].filter(([column]) => !(column in standard)))
    return { ...recordKey(tenant, model, id), kind: 'record', version, ...standard, data: JSON.stringify(data) }
  })
  await single.store.writeMany(
    tenant,
    [{ ...sequenceKey(tenant, model), next: first + 20, live: records.length }, ...records],
    gone!.map(({ id }) => recordKey(tenant, model, id)),
  )
}

/** A reader gets exactly what was told. */
export async function expectReadable({ single, tenant, told }: FoldedTable): Promise<void> {
  const { latest, manifest } = await readColumnItems(single, tenant.id, model)
  expect(latest).toEqual(expectedColumns(told, manifest.leftOut))
}

/** One more change and one more fold: then everything is folded, and nothing is left that nobody needs. */
export async function expectRecovery(table: FoldedTable): Promise<void> {
  const { single, tenant, told, clock, keeper, change } = table
  clock.advance(61_000)
  const more = [...told.slice(-2), row(first + 5, 1, { title: 'Later' }), row(7, 1, { title: 'Later' })]
  await change(more)
  const entries = (await readColumnItems(single, tenant.id, model)).manifest.folded
  expect(await keeper().foldNow(tenant, model)).toBe('folded')
  const found = await readColumnItems(single, tenant.id, model)
  const expected = expectedColumns(told, found.manifest.leftOut)
  expect(found.folded).toEqual(expected)
  expect(found.latest).toEqual(expected)
  expect(found.manifest.live).toBe(livingIn(expected))
  expect(found.words).toEqual(expectedWords(searchedTable(), expected))
  expect(found.orphans).toEqual([])
  expect(Math.min(...found.entries)).toBeGreaterThan(entries)
}

/** What replaces blocks. */
export const operations: readonly (readonly [string, (table: FoldedTable, keeper: Keeper) => Promise<unknown>])[] = [
  ['fold', ({ tenant }, keeper) => keeper.foldNow(tenant, model)],
  ['rebuilt chunk', ({ tenant }, keeper) => keeper.rebuildChunk(tenant, model, 1)],
]
