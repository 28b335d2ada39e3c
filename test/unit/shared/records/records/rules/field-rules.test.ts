import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../../shared/kernel/failures/faults.ts'
import { checkRows } from '../../../../../../shared/operations/import-export/import/check-rows.ts'
import { createOnly } from '../../../../../../shared/operations/import-export/import/keyed/import-plan.ts'
import { noteTable } from '../../../../../../shared/platform/store/sequence/sequence.ts'
import type { RecordDependencies } from '../../../../../../shared/records/records/dependencies.ts'
import { noHooks } from '../../../../../../shared/records/records/hooks/hooked-operation.ts'
import type { RecordData } from '../../../../../../shared/records/records/record-item.ts'
import { changeRecord } from '../../../../../../shared/records/records/write/change-record.ts'
import { createRecord } from '../../../../../../shared/records/records/write/create-record.ts'
import type { Field } from '../../../../../../shared/tables/tables/schema.ts'
import type { Table } from '../../../../../../shared/tables/tables/table.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { tableOf, tenant } from '../../../../../make/builders/lists/query-records.ts'
import { administrator as actor, recordDependencies } from '../../../../../make/builders/records/record-dependencies.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

let single: SingleTable
let tables = 0
const clock = frozenClock()
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

async function makeTable(fields: Field[]): Promise<Table> {
  tables += 1
  const table = tableOf(200 + tables, `ruled_${tables}`, fields)
  await single.store.transact(tenant, [noteTable(tenant, table)], `make ${tables}`)
  return table
}

/** Dependencies in whose before hooks these values are set. */
const withHook = (table: Table, set: RecordData, more: Partial<RecordDependencies> = {}): RecordDependencies =>
  recordDependencies(single.store, clock, [table], {
    hooks: {
      begin: async () => ({ ...noHooks, hasBefore: true, before: async ({ data }) => ({ ...data, ...set }) }),
      runPending: async () => false,
    },
    ...more,
  })
const plain = (table: Table): RecordDependencies => recordDependencies(single.store, clock, [table])

/** The stored data of a write, or undefined for one that is refused as invalid. */
const outcome = async (write: Promise<{ readonly data: RecordData }>): Promise<RecordData | undefined> => {
  try {
    return (await write).data
  } catch (error) {
    if (error instanceof Invalid) return undefined
    throw error
  }
}

/** An import that only creates asks for no records. */
const noQueries = {
  parse: () => Promise.reject(new Error('no query')),
  page: () => Promise.reject(new Error('no query')),
}

/** What an import would store of a row; nothing is stored. */
async function imported(table: Table, row: RecordData): Promise<{ readonly id: number; readonly data: RecordData }> {
  const [checked] = await checkRows(
    { ...plain(table), queries: noQueries },
    actor,
    table,
    createOnly,
    [row],
    1,
    new Map(),
  )
  if (checked && 'prepared' in checked) return { id: 0, data: checked.prepared.data }
  throw new Invalid({ row: ['It is refused.'] })
}

/** A condition with what it means, told apart from the service's own predicate. */
interface Meaning {
  readonly filter: Record<string, unknown>
  holds(data: RecordData): boolean
}
const numberIn = (data: RecordData, name: string): number => (data[name] ?? Number.NaN) as number
const simple: fc.Arbitrary<Meaning> = fc.oneof(
  fc.constantFrom('a', 'b').chain((name) =>
    fc.constantFrom(1, 2, 3).map((value): Meaning => ({
      filter: { [name]: { _gte: value } },
      holds: (data) => numberIn(data, name) >= value,
    })),
  ),
  fc.constantFrom('open', 'done').map((state): Meaning => ({
    filter: { status: state },
    holds: (data) => data.status === state,
  })),
  fc.constant<Meaning>({ filter: { a: null }, holds: (data) => (data.a ?? null) === null }),
)
const meaning: fc.Arbitrary<Meaning> = fc.oneof(
  simple,
  simple.map(({ filter, holds }): Meaning => ({ filter: { _not: filter }, holds: (data) => !holds(data) })),
  fc.tuple(simple, simple).map(([left, right]): Meaning => ({
    filter: { _or: [left.filter, right.filter] },
    holds: (data) => left.holds(data) || right.holds(data),
  })),
)

const value = fc.option(fc.integer({ min: 0, max: 4 }), { nil: null })
const body = fc.record({ a: value, b: value, c: value, status: fc.constantFrom('open', 'done') }, { requiredKeys: [] })
const step = fc.record({
  way: fc.constantFrom('create', 'import', 'create by hook', 'change', 'form', 'change by hook'),
  body,
})

const isEmpty = (one: unknown): boolean => (one ?? null) === null

describe('the rules of fields', () => {
  it('hold whatever way a record is written, and refuse nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ required: meaning, readonly: meaning, visible: meaning, move: meaning }),
        fc.array(step, { minLength: 4, maxLength: 10 }),
        async (rules, steps) => {
          const table = await makeTable([
            { name: 'a', type: 'integer' },
            { name: 'b', type: 'integer', readonly_if: rules.readonly.filter },
            { name: 'c', type: 'integer', required_if: rules.required.filter, visible_if: rules.visible.filter },
            {
              name: 'status',
              type: 'state_model',
              states: [{ slug: 'open', is_initial: true }, { slug: 'done' }],
              transitions: [{ from: '*', to: 'done', condition: rules.move.filter, required_fields: ['a'] }],
            },
          ])
          /** Whether a record may become `after`. Undefined: there was none. */
          const mayBe = (before: RecordData | undefined, after: RecordData): boolean => {
            const isDone = after.status === 'done'
            if (!before && isDone) return false
            if (before && before.status !== after.status)
              if (!isDone || !rules.move.holds(after) || isEmpty(after.a)) return false
            if ((before?.b ?? null) !== (after.b ?? null) && rules.readonly.holds(after)) return false
            return !(isEmpty(after.c) && rules.required.holds(after) && rules.visible.holds(after))
          }
          let id = 0
          let now: RecordData | undefined
          for (const { way, body: sent } of steps) {
            const isNew = way === 'create' || way === 'import' || way === 'create by hook'
            if (!isNew && !now) continue
            const before = isNew ? undefined : now
            const after = { ...(before ?? { status: 'open' }), ...sent }
            // What a hook is given obeys the rules already; here it is given what changes nothing.
            const isExpected =
              mayBe(before, after) && (way !== 'create by hook' || mayBe(undefined, { status: 'open' }))
            const changesNothing =
              before !== undefined && Object.entries(sent).every(([name, one]) => (before[name] ?? null) === one)
            const made =
              way === 'import'
                ? imported(table, sent)
                : way === 'create'
                  ? createRecord(plain(table), actor, table, sent)
                  : way === 'create by hook'
                    ? createRecord(withHook(table, sent), actor, table, {})
                    : way === 'change by hook'
                      ? changeRecord(withHook(table, sent), actor, table, id, {})
                      : changeRecord(plain(table), actor, table, id, sent, { withoutFieldRules: way === 'form' })
            const got = await outcome(made.then((record) => ((id = isNew && record.id ? record.id : id), record)))
            expect([way, sent, got !== undefined]).toEqual([way, sent, isExpected || changesNothing])
            if (way !== 'import') now = got ?? now
          }
        },
      ),
      { numRuns: 150, seed: 38 },
    )
  })

  it('cost a table without them nothing, and one with them no call of the store', async () => {
    const fields: Field[] = [{ name: 'a', type: 'integer', required: true }]
    const calls = async (table: Table, refuse: boolean): Promise<string[]> => {
      const made: string[] = []
      const store = single.storeThrough(async (name, call) => {
        made.push(name)
        return call()
      })
      const records = recordDependencies(store, clock, [table], {
        ...(refuse && {
          conditions: async () => {
            throw new Error('a table without rules opens none')
          },
        }),
      })
      const { id } = await createRecord(records, actor, table, { a: 1 })
      await changeRecord(records, actor, table, id, { a: 2 })
      return made
    }
    const without = await calls(await makeTable(fields), true)
    const ruled: Field[] = [
      ...fields,
      { name: 'b', type: 'text', pattern: { regex: '^x' }, required_if: { a: 7 }, visible_if: { version: 1 } },
      { name: 'c', type: 'user', default: null, readonly_if: { b: null } },
    ]
    expect(without.length).toBeGreaterThan(0)
    expect(await calls(await makeTable(ruled), false)).toEqual(without)
  })
})
