import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../../shared/kernel/failures/faults.ts'
import { recordKey, sequenceKey } from '../../../../../../shared/platform/store/keys/records.ts'
import type { RecordDependencies } from '../../../../../../shared/records/records/dependencies.ts'
import { noHooks } from '../../../../../../shared/records/records/hooks/hooked-operation.ts'
import type { RecordData, StoredRecord } from '../../../../../../shared/records/records/record-item.ts'
import { changeRecord } from '../../../../../../shared/records/records/write/change-record.ts'
import { createIdempotent } from '../../../../../../shared/records/records/write/create-idempotent.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { tableOf, tenant } from '../../../../../make/builders/lists/query-records.ts'
import { administrator as actor, recordDependencies } from '../../../../../make/builders/records/record-dependencies.ts'
import { interruptedStore } from '../../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const letters = tableOf(101, 'letters', [
  { name: 'title', type: 'text', required: true },
  { name: 'code', type: 'text', unique: true },
])
let single: SingleTable
let key = ''
let made = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(() => {
  key = `key ${(made += 1)}`
})

const clock = frozenClock()
const create = (body: RecordData, more: Partial<RecordDependencies> = {}): Promise<StoredRecord> =>
  createIdempotent(recordDependencies(single.store, clock, [letters], more), actor, letters, body, key)
const living = async () => Number((await single.store.get(tenant, sequenceKey(tenant, 'letters')))?.live ?? 0)
/** How many letters there are more or fewer after `run`. */
async function newLetters(run: () => Promise<unknown>): Promise<number> {
  const before = await living()
  await run()
  return (await living()) - before
}
const meanwhile = (happens: () => Promise<unknown>) => ({
  store: interruptedStore(single, 'TransactWriteItems', happens),
})
const away = new Error('the database cannot be reached')

describe('a create with an Idempotency-Key', () => {
  it('is made once, and answers the record as it was', async () => {
    const created = await newLetters(async () => {
      const first = await create({ title: 'A' })
      await changeRecord(recordDependencies(single.store, clock, [letters]), actor, letters, first.id, { title: 'B' })
      expect(await create({ title: 'A' })).toEqual(first)
    })
    expect(created).toBe(1)
  })

  it('is made once when an equal one is faster', async () => {
    let first: StoredRecord | undefined
    const created = await newLetters(async () => {
      const second = await create(
        { title: 'A' },
        meanwhile(async () => (first = await create({ title: 'A' }))),
      )
      expect(second).toEqual(first)
    })
    expect(created).toBe(1)
  })

  it.each([
    [
      'a unique value that the other one took',
      (body: RecordData) =>
        create(
          body,
          meanwhile(() => create(body)),
        ),
    ],
    [
      'a hook that sees the other one',
      (body: RecordData) =>
        create(body, {
          hooks: {
            begin: async () => {
              await create(body)
              throw new Invalid({ title: ['There is such a letter.'] })
            },
            runPending: async () => false,
          },
        }),
    ],
  ])('answers the faster one also when it is refused for %s', async (_title, run) => {
    const created = await newLetters(async () => {
      expect(await run({ title: 'A', code: key })).toMatchObject({ version: 1, data: { title: 'A', code: key } })
    })
    expect(created).toBe(1)
  })

  it('is refused when one with another body was faster', async () => {
    const created = await newLetters(async () => {
      const second = create(
        { title: 'B' },
        meanwhile(() => create({ title: 'A' })),
      )
      await expect(second).rejects.toMatchObject({ code: 'idempotency_key_reused' })
      await expect(create({ title: 'B' })).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    })
    expect(created).toBe(1)
  })

  it('leaves the key free when it is refused', async () => {
    await expect(create({ title: '' })).rejects.toMatchObject({ kind: 'invalid' })
    expect(await create({ title: 'A' })).toMatchObject({ version: 1 })
  })

  it('fails when nobody knows whether it was made, and a repeat finds out', async () => {
    const lost = single.storeThrough(async (operation, call) => {
      const answer = await call()
      if (operation === 'TransactWriteItems') throw away
      return answer
    })
    const created = await newLetters(async () => {
      await expect(create({ title: 'A' }, { store: lost })).rejects.toBe(away)
      expect(await create({ title: 'A' })).toMatchObject({ version: 1, data: { title: 'A' } })
    })
    expect(created).toBe(1)
  })

  it('answers again what its hooks made of the record', async () => {
    const begin = async () => ({
      ...noHooks,
      after: async ({ id }: StoredRecord) => {
        const records = recordDependencies(single.store, clock, [letters])
        await changeRecord(records, actor, letters, id, { title: 'by a hook' })
        return single.store.get(tenant, recordKey(tenant, 'letters', id))
      },
    })
    const hooks = { begin, runPending: async () => false } as unknown as RecordDependencies['hooks']
    const first = await create({ title: 'A' }, { hooks })
    expect(first).toMatchObject({ version: 2, data: { title: 'by a hook' } })
    expect(await create({ title: 'A' })).toEqual(first)
  })
})
