import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  missingEntries,
  type KnownEntry,
} from '../../../../../../shared/operations/maintenance/repair/missing-history.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import { historyEntry, type HistoryEntry } from '../../../../../../shared/records/history/history-entry.ts'
import { runs } from '../../../../../make/depth.ts'

type Data = Record<string, unknown>

/** The item of a record after each of its versions. */
const itemsOf = (states: readonly Data[]): Item[] =>
  states.map((data, index) => ({
    pk: 'T#1#R#things',
    sk: '000000000007',
    tenant_id: 1,
    model: 'things',
    version: index + 1,
    created_by: 3,
    updated_by: 3 + index,
    created_at: '2026-11-20T00:00:00.000Z',
    updated_at: new Date(Date.parse('2026-11-20T00:00:00.000Z') + index * 1000).toISOString(),
    data: JSON.stringify(data),
  }))

const historyOf = (items: readonly Item[]): HistoryEntry[] =>
  items.map((item, index) => historyEntry(items[index - 1], item) as HistoryEntry)
const without = (entries: readonly HistoryEntry[], lost: readonly number[]): Map<number, KnownEntry> =>
  new Map(entries.filter(({ version }) => !lost.includes(version)).map((entry) => [entry.version, entry]))

function replay(entries: readonly Pick<HistoryEntry, 'changes'>[]): Data {
  const state: Data = {}
  for (const { changes } of entries) for (const [name, change] of Object.entries(changes)) state[name] = change.new
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== null))
}

const states = [
  { title: 'a', n: 1 },
  { title: 'b', n: 1 },
  { title: 'b', n: 2 },
  { title: null, n: 2 },
  { title: 'c', n: 3 },
]

describe('a missing history entry', () => {
  const items = itemsOf(states)
  const history = historyOf(items)
  const record = items.at(-1) as Item

  it('of the latest version is written again as it was', () => {
    expect(missingEntries(record, without(history, [5]))).toEqual([history[4]])
    expect(missingEntries(items[0] as Item, new Map())).toEqual([history[0]])
  })

  it('of one version between known ones is written again exactly, except for its user', () => {
    const [entry, ...more] = missingEntries(record, without(history, [3]))
    expect(more).toEqual([])
    expect(entry).toMatchObject({
      version: 3,
      action: 'update',
      userId: 0,
      source: 'repair',
      changes: history[2]?.changes,
      at: history[3]?.at,
    })
  })

  it('of the first version is the create, with user and time of the record', () => {
    expect(missingEntries(record, without(history, [1]))).toEqual([{ ...history[0], source: 'repair' }])
  })

  it('of several versions in a row has all changes in the last of them', () => {
    const entries = missingEntries(record, without(history, [2, 3]))
    expect(entries.map(({ version, changes }) => [version, changes])).toEqual([
      [2, {}],
      [3, { title: { old: 'a', new: 'b' }, n: { old: 1, new: 2 } }],
    ])
  })

  it('is not invented when nothing is missing', () => expect(missingEntries(record, without(history, []))).toEqual([]))

  it('of a delete lists every field that the record had', () => {
    const [tombstone] = itemsOf([{}])
    const gone = { ...tombstone, version: 6, data: '{}', deleted_at: '2026-11-21T00:00:00.000Z', deleted_by: 9 } as Item
    const [entry, ...more] = missingEntries(gone, without(history, []))
    expect(more).toEqual([])
    const changes = { title: { old: 'c', new: null }, n: { old: 3, new: null } }
    expect(entry).toMatchObject({
      version: 6,
      action: 'delete',
      userId: 9,
      at: '2026-11-21T00:00:00.000Z',
      source: 'repair',
      changes,
    })
    const deleted = { version: 6, action: 'delete', at: '', changes } as unknown as HistoryEntry
    expect(missingEntries(gone, without([...history, deleted], [3]))).toMatchObject([
      { version: 3, changes: history[2]?.changes },
    ])
  })

  it('of a restored record is a create', () => {
    const gone = {
      ...historyOf(itemsOf([{ title: 'a' }]))[0],
      version: 2,
      action: 'delete',
      changes: { title: { old: 'a', new: null } },
    } as HistoryEntry
    const back = itemsOf([{}, {}, { title: 'a' }])[2] as Item
    expect(missingEntries(back, without([history[0] as HistoryEntry, gone], []))).toMatchObject([
      { version: 3, action: 'create', changes: { title: { old: null, new: 'a' } } },
    ])
  })

  it('is written so that the history replays to the record with every version once, whatever was lost', () => {
    const value = fc.constantFrom(null, 1, 2, 'x')
    const run = fc.array(fc.record({ a: value, b: value, c: value }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(run, fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 12 }), (given, lost) => {
        const all = itemsOf(given)
        const kept = without(historyOf(all), lost)
        const latest = all.at(-1) as Item
        const made = missingEntries(latest, kept)
        const whole = new Map<number, Pick<HistoryEntry, 'changes'>>([
          ...kept,
          ...made.map((entry) => [entry.version, entry] as const),
        ])
        expect([...whole.keys()].toSorted((a, b) => a - b)).toEqual(all.map(({ version }) => version))
        expect(made.filter(({ version }) => kept.has(version))).toEqual([])
        const inOrder = [...whole].toSorted(([a], [b]) => a - b).map(([, entry]) => entry)
        expect(replay(inOrder)).toEqual(replay(historyOf([{ ...latest, version: 1 }])))
      }),
      { seed: 20261120, numRuns: runs(300) },
    )
  })
})
