import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axes } from './axes.ts'
import { type Laboratory, openLaboratory } from './cases.ts'

/*
 * Every declared limit at its maximum, alone, with each other one, and by three: `MAXIMA=all` runs every three of them,
 * `MAXIMA_SEED` draws others.
 */

const seed = Number(process.env.MAXIMA_SEED ?? 1)
const triples = axes.flatMap((a, i) =>
  axes.slice(i + 1).flatMap((b, j) => axes.slice(i + j + 2).map((c) => [a, b, c] as const)),
)
const drawn =
  process.env.MAXIMA === 'all' ? triples : triples.filter((_, at) => (at * 7919 + seed * 104_729) % 37 === 0)
const pairs = axes.flatMap((a, i) => axes.slice(i + 1).map((b) => [a, b] as const))
const groups = Map.groupBy([...pairs, ...drawn], ([first]) => first.name)

let laboratory: Laboratory
beforeAll(async () => {
  laboratory = await openLaboratory()
})
afterAll(() => laboratory?.stop())

describe.each([...groups])('%s at its maximum', (_, combinations) => {
  const cases = combinations.map(
    (some) =>
      [
        some
          .slice(1)
          .map(({ name }) => name)
          .join(' and '),
        some,
      ] as const,
  )

  it.each(cases)(
    'with %s: each operation succeeds or says why not, and nobody else suffers',
    { timeout: 60_000 },
    async (__, some) => {
      expect(await laboratory.run(some)).toEqual([])
    },
  )
})

it('leaves records, links, files, histories and queues consistent', { timeout: 120_000 }, async () => {
  expect(await laboratory.settle()).toEqual([])
})
