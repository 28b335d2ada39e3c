import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RecordToIndex } from '../../../../shared/search/index-records.ts'
import { changeOf, index, requestsTable, tenant, writeRecord } from '../../../make/builders/indexed-records.ts'
import { compareIndex } from '../../../make/oracles/compare-index.ts'
import { openSingleTable, type SingleTable } from '../../../make/services/single-table.ts'

const word = fc.constantFrom('printer', 'print', 'jam', 'floor', 'Ärger', 'toner')
const data = fc.record(
  {
    title: fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
    note: fc.array(word, { maxLength: 3 }).map((words) => words.join(', ')),
    status: fc.constantFrom('new', 'open', 'closed', null),
    urgent: fc.boolean(),
  },
  { requiredKeys: [] },
)
/** A create, an update, or with null a delete, of one of three records. */
const write = fc.record({
  kind: fc.constant('write' as const),
  id: fc.integer({ min: 1, max: 3 }),
  data: fc.oneof({ weight: 5, arbitrary: data }, { weight: 1, arbitrary: fc.constant(null) }),
})
/** A delivery of some of the changes in flight, to a consumer that crashes at its n-th call to DynamoDB. */
const delivery = fc.record({
  kind: fc.constant('deliver' as const),
  picks: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
  crashesAt: fc.option(fc.record({ call: fc.integer({ min: 1, max: 9 }), afterwards: fc.boolean() })),
  /** Milliseconds that its calls take, so that calls of others interleave. */
  pauses: fc.array(fc.nat({ max: 4 }), { minLength: 3, maxLength: 6 }),
  /** Whether it is delivered again after its success. */
  isRedelivered: fc.boolean(),
})

class Crashed extends Error {}

/** A store whose user crashes at one of its calls: that call is made or not, and none after it. */
function crashing(single: SingleTable, crash: { call: number; afterwards: boolean } | null, pauses: readonly number[]) {
  let calls = 0
  return single.storeThrough(async (_operation, call) => {
    calls += 1
    await sleep(pauses[calls % pauses.length])
    if (!crash || calls < crash.call) return call()
    if (calls === crash.call && crash.afterwards) await call()
    throw new Crashed()
  })
}

describe('after any changes, delivered in any order, repeatedly, concurrently, and to consumers that crash anywhere', () => {
  it('postings and counters match the records', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(write, delivery), { minLength: 4, maxLength: 30 }),
        fc.boolean(),
        async (steps, atOnce) => {
          const single = await openSingleTable()
          try {
            const records = new Map<number, Record<string, unknown>>()
            const versions = new Map<number, number>()
            let inFlight: RecordToIndex[] = []
            const running: Promise<void>[] = []
            for (const step of steps) {
              if (step.kind === 'write') {
                const version = (versions.get(step.id) ?? 0) + 1
                if (step.data === null && !records.has(step.id)) continue
                versions.set(step.id, version)
                await writeRecord(single.store, step.id, version, step.data)
                if (step.data) records.set(step.id, step.data)
                else records.delete(step.id)
                inFlight.push(changeOf(step.id, version))
              } else if (inFlight.length > 0) {
                const taken = [...new Set(step.picks.map((pick) => inFlight[pick % inFlight.length] as RecordToIndex))]
                inFlight = inFlight.filter((one) => !taken.includes(one))
                const work = deliver(crashing(single, step.crashesAt, atOnce ? step.pauses : [0]), taken).then(
                  (done) => {
                    if (!done || step.isRedelivered) inFlight.push(...taken.map((one) => ({ ...one, again: true })))
                  },
                )
                if (atOnce) running.push(work)
                else await work
              }
            }
            await Promise.all(running)
            await deliver(single.store, inFlight.toReversed())
            const { held, wanted } = await compareIndex(single, tenant, requestsTable, records)
            expect(held).toEqual(wanted)
          } finally {
            await single.close()
          }
        },
      ),
      { numRuns: 300 },
    )
  }, 120_000)
})

/** Delivers each record once, like a batch; false when the consumer crashed. */
async function deliver(store: SingleTable['store'], changes: readonly RecordToIndex[]): Promise<boolean> {
  const byRecord = Map.groupBy(changes, ({ id }) => id)
  try {
    await index(
      store,
      [...byRecord].map(([id, all]) =>
        changeOf(
          id,
          Math.max(...all.map(({ version }) => version)),
          all.some(({ again }) => again),
        ),
      ),
    )
    return true
  } catch (error) {
    if (!(error instanceof Crashed)) throw error
    return false
  }
}
