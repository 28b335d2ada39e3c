import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexChanges } from '../../../../../../shared/lists/columns/keeper/index-changes.ts'
import { type LogRow, stampOf } from '../../../../../../shared/lists/columns/log-entry.ts'
import { rowOfRecord } from '../../../../../../shared/lists/columns/row-of-record.ts'
import { recordKey, sequenceKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import {
  Crashed,
  goneRow,
  keeperOn,
  model,
  searchedTable,
  tenantWith,
} from '../../../../../make/builders/lists/kept-columns.ts'
import { runs } from '../../../../../make/depth.ts'
import {
  expectedColumns,
  expectedWords,
  knownOf,
  type ReadColumns,
  readColumnItems,
} from '../../../../../make/oracles/column-oracle.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = tenantWith(7)
const ids = [1, 2, 16_383, 16_384, 3 * 16_384, 3 * 16_384 + 2]
const words = fc.array(fc.constantFrom('printer', 'print', 'jam', 'Ärger', '灯', 'x'.repeat(700)), { maxLength: 4 })
const data = fc.record(
  {
    title: words.map((some) => some.join(' ')),
    note: words.map((some) => some.join(', ')),
    status: fc.constantFrom('new', 'open', 'closed', null),
    any: fc.constantFrom(1, 2.5, true, 'text', '2026-11-20', '2026-11-20T08:00:00.000Z', null),
    files: fc.constantFrom(['a'], ['a', 'b'], []),
  },
  { requiredKeys: [] },
)
/** A create, an update, with null the beginning of a delete, or the removal of the row. */
const write = fc.record({
  kind: fc.constant('write' as const),
  id: fc.constantFrom(...ids),
  data: fc.oneof({ weight: 6, arbitrary: data }, { weight: 1, arbitrary: fc.constant(null) }),
  isRemoved: fc.boolean(),
})
/** A delivery of some of the changes in flight, to a process that crashes at its n-th call to DynamoDB. */
const delivery = fc.record({
  kind: fc.constant('deliver' as const),
  picks: fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
  process: fc.constantFrom(0, 1),
  crashesAt: fc.option(fc.record({ call: fc.integer({ min: 1, max: 30 }), afterwards: fc.boolean() })),
  /** Milliseconds that its calls take, so that calls of others interleave. */
  pauses: fc.array(fc.nat({ max: 4 }), { minLength: 3, maxLength: 6 }),
  isRedelivered: fc.boolean(),
})
/** Chunk 3 is made anew: it has few ids. */
const rebuild = fc.record({ kind: fc.constant('rebuild' as const) })
const wait = fc.record({ kind: fc.constant('wait' as const) })

type Delivery = typeof delivery extends fc.Arbitrary<infer T> ? T : never

interface Change {
  readonly message: Parameters<typeof indexChanges>[1][number]['message']
}
const changeOf = (id: number, version: number): Change => ({
  message: { v: 1, tenant_id: tenant.id, model, id, version, action: 'update', actor: 1, source: null },
})

/** A process with a keeper of its own. It crashes at one of its calls: that call is made or not, and none after it. */
function startProcess(single: SingleTable, clock: ReturnType<typeof frozenClock>) {
  const plan = { callsLeft: Infinity, afterwards: false, pauses: [0] }
  let calls = 0
  const store = single.storeThrough(async (_operation, call) => {
    calls += 1
    await sleep(plan.pauses[calls % plan.pauses.length])
    plan.callsLeft -= 1
    if (plan.callsLeft > 0) return call()
    if (plan.callsLeft === 0 && plan.afterwards) await call()
    throw new Crashed()
  })
  const limits = { foldRows: 6, manifestBytes: 600, longColumnBytes: 2_000 }
  return { plan, store, keeper: keeperOn(store, { clock, limits }) }
}

/** Records with all versions that they ever had. */
function openRecords(single: SingleTable) {
  const history = new Map<number, LogRow[]>()
  return {
    rows: () => [...history.values()].flat(),
    rowAt: (id: number, stamp: number) => history.get(id)?.find((row) => stampOf(row) === stamp),
    async write({ id, data: fields, isRemoved }: { id: number; data: object | null; isRemoved: boolean }) {
      const before = history.get(id)?.at(-1)
      if (fields === null && (!before || before.isGone)) return undefined
      const version = (before?.version ?? 0) + 1
      const at = `2026-11-20T08:00:00.${String(version).padStart(3, '0')}Z`
      const item = {
        ...recordKey(tenant, model, id),
        kind: 'record',
        version,
        created_by: 1,
        updated_by: 2,
        created_at: at,
        updated_at: at,
        data: JSON.stringify(fields ?? {}),
        ...(fields === null && { deleted_at: at }),
      }
      history.set(id, [...(history.get(id) ?? []), fields ? rowOfRecord(item) : goneRow(id, version)])
      if (fields === null && isRemoved) await single.store.writeMany(tenant, [], [item])
      else await single.store.putMany(tenant, [item])
      return changeOf(id, version)
    },
  }
}

describe('after any changes, delivered in any order, repeatedly, concurrently, and to processes that crash anywhere', () => {
  it('the columns match the records', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            { weight: 8, arbitrary: write },
            { weight: 8, arbitrary: delivery },
            { weight: 1, arbitrary: rebuild },
            { weight: 1, arbitrary: wait },
          ),
          { minLength: 10, maxLength: 60 },
        ),
        fc.boolean(),
        async (steps, atOnce) => {
          const single = await openSingleTable()
          try {
            const clock = frozenClock()
            await single.store.write(tenant, { put: { ...sequenceKey(tenant, model), next: 3 * 16_384 + 2 } })
            const records = openRecords(single)
            const processes = [startProcess(single, clock), startProcess(single, clock)]
            const acknowledged = new Map<number, number>()
            const running: Promise<void>[] = []
            let inFlight: Change[] = []

            async function deliver(step: Delivery, taken: readonly Change[]): Promise<void> {
              const used = processes[step.process]!
              used.plan.pauses = atOnce ? step.pauses : [0]
              if (step.crashesAt) {
                used.plan.callsLeft = step.crashesAt.call
                used.plan.afterwards = step.crashesAt.afterwards
              }
              const failures = await indexChanges(
                { ...used, findTenant: async () => tenant, readSaid: async () => new Map() },
                taken,
              )
              if (used.plan.callsLeft <= 0 && processes[step.process] === used)
                processes[step.process] = startProcess(single, clock)
              for (const change of taken) {
                const { id, version } = change.message
                if (failures.has(change) || step.isRedelivered) inFlight.push(change)
                if (!failures.has(change)) acknowledged.set(id, Math.max(version, acknowledged.get(id) ?? 0))
              }
            }

            for (const step of steps) {
              if (step.kind === 'write') {
                const change = await records.write(step)
                if (change) inFlight.push(change)
              } else if (step.kind === 'wait') clock.advance(61_000)
              else if (step.kind === 'rebuild') running.push(rebuildOnce(single, clock))
              else if (inFlight.length > 0) {
                const taken = [...new Set(step.picks.map((pick) => inFlight[pick % inFlight.length]!))]
                inFlight = inFlight.filter((one) => !taken.includes(one))
                running.push(deliver(step, taken))
              }
              if (atOnce) continue
              await Promise.all(running)
              expectKnown(await readColumnItems(single, tenant.id, model), records, acknowledged)
            }
            await Promise.all(running)
            expectKnown(await readColumnItems(single, tenant.id, model), records, acknowledged)

            const { keeper, store } = startProcess(single, clock)
            clock.advance(61_000)
            const all = [...inFlight.toReversed(), changeOf(9, 1)]
            expect(
              await indexChanges(
                { keeper, store, findTenant: async () => tenant, readSaid: async () => new Map() },
                all,
              ),
            ).toEqual(new Map())
            await keeper.foldNow(tenant, model)
            const { folded, words: found, orphans, manifest } = await readColumnItems(single, tenant.id, model)
            const expected = expectedColumns([...records.rows(), goneRow(9, 1)], manifest.leftOut)
            expect(folded).toEqual(expected)
            expect(found).toEqual(expectedWords(searchedTable(), expected))
            expect(orphans).toEqual([])
          } finally {
            await single.close()
          }
        },
      ),
      { numRuns: runs(60) },
    )
  }, 240_000)
})

async function rebuildOnce(single: SingleTable, clock: ReturnType<typeof frozenClock>): Promise<void> {
  await startProcess(single, clock).keeper.rebuildChunk(tenant, model, 3)
}

/** Whatever is known of a record is exactly what it was at that version, and nothing acknowledged is missing. */
function expectKnown(
  { latest, manifest }: ReadColumns,
  records: ReturnType<typeof openRecords>,
  acknowledged: ReadonlyMap<number, number>,
): void {
  for (const [id, known] of latest) {
    const row = records.rowAt(id, known.stamp)
    // Without such a version the record was found gone, and its last version was not known.
    const expected = row ? knownOf(row, manifest.leftOut) : { stamp: known.stamp | 1, values: {} }
    expect(known).toEqual(expected)
  }
  for (const [id, version] of acknowledged) expect(latest.get(id)?.stamp).toBeGreaterThanOrEqual(version * 2)
}
