import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRecords } from '../../../../shared/search/find-records.ts'
import { tokensOf } from '../../../../shared/search/tokens.ts'
import { postingKey } from '../../../../shared/store/keys/search.ts'
import { changeOf, index, requestsTable, tenant, writeRecord } from '../../../make/builders/indexed-records.ts'
import { openSingleTable, type SingleTable } from '../../../make/services/single-table.ts'

let single: SingleTable
const titles = new Map<number, string>()
const words = ['printer', 'print', 'floor', 'flood', 'toner', 'jam', 'x']
const common = 2_100

beforeAll(async () => {
  single = await openSingleTable()
  for (let id = 1; id <= common; id += 1) {
    const chosen = words.filter((_, at) => (id * 7919) % (at + 3) === 0)
    titles.set(id, ['everywhere', ...chosen, id % 700 === 0 ? 'rare' : ''].join(' '))
  }
  const ids = [...titles.keys()]
  for (let start = 0; start < ids.length; start += 100) {
    const some = ids.slice(start, start + 100)
    await Promise.all(some.map((id) => writeRecord(single.store, id, 1, { title: titles.get(id) })))
    await index(
      single.store,
      some.map((id) => changeOf(id, 1)),
    )
  }
}, 60_000)
afterAll(() => single?.close())

const find = (text: string) => findRecords(single.store, tenant, requestsTable, tokensOf(text))
const idsOf = async (text: string) => (await find(text))?.map(({ id }) => id)

/** The ids that a scan of every title finds. */
function expected(text: string): number[] {
  const asked = tokensOf(text)
  const holds = (title: string): boolean => {
    const tokens = tokensOf(title)
    return asked.every((word, at) =>
      tokens.some((token) => (at === asked.length - 1 ? token.startsWith(word) : token === word)),
    )
  }
  return [...titles].filter(([, title]) => holds(title)).map(([id]) => id)
}

describe('finding records by words', () => {
  it('matches a scan of every record', async () => {
    const word = fc.constantFrom(...words, 'everywhere', 'rare', 'pri', 'flo', 'ever', 'nothing')
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 4 }), async (asked) => {
        const text = asked.join(' ')
        const found = await idsOf(text)
        // A single letter as a prefix has no answer by itself, nor together with words of every record.
        const tells = asked.some((one) => !['x', 'everywhere', 'ever'].includes(one)) || found !== undefined
        expect([tells, found?.toSorted((one, other) => one - other) ?? 'ask the records']).toEqual([
          tells,
          tells ? expected(text) : 'ask the records',
        ])
      }),
      { numRuns: 150 },
    )
  }, 60_000)

  it('checks a common word only in the records of a rare one', async () => {
    expect(await idsOf('everywhere rare')).toEqual([2100, 1400, 700])
    expect(await idsOf('rare ever')).toEqual([2100, 1400, 700])
  })

  it('intersects two common words of thousands of records', async () => {
    const every = (step: number) => Array.from({ length: 10_500 / step }, (_, at) => (at + 1) * step)
    const put = (token: string, ids: readonly number[]) =>
      single.store.putMany(
        tenant,
        ids.map((id) => ({ ...postingKey(tenant, requestsTable.name, 0, token, id), w: 1 })),
      )
    await Promise.all([put('ubiquitous', every(1)), put('frequent', every(5)), put('frequently', every(7))])
    expect(await idsOf('frequent ubiquitous')).toEqual(every(5).toReversed())
    const either = every(1).filter((id) => id % 5 === 0 || id % 7 === 0)
    expect(await idsOf('ubiquitous frequent')).toEqual(either.toReversed())
  }, 30_000)

  it('reads all postings of a single common word', async () => {
    expect(await idsOf('everywhere')).toHaveLength(common)
  })

  it('answers undefined for no words and for a single letter', async () => {
    expect(await find('')).toBeUndefined()
    expect(await find('x')).toBeUndefined()
  })

  it('reads no more postings of a common word than it needs', async () => {
    let items = 0
    const counting = single.storeThrough(async (_operation, call) => {
      const answer = await call()
      items += (answer as { Items?: unknown[] }).Items?.length ?? 0
      return answer
    })
    await findRecords(counting, tenant, requestsTable, ['everywhere', 'rare'])
    expect(items).toBeLessThanOrEqual(2_001 + 3)
  })
})
