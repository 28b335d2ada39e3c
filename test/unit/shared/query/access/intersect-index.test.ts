import { expect, it } from 'vitest'
import { groupIds } from '../../../../../shared/query/access/intersect-index.ts'

const ids = (...ranges: readonly [number, number][]) =>
  ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => ({ id: to - index })))

it.each<[string, { id: number }[], number, unknown]>([
  ['ids close to each other are one range', ids([101, 230]), 0.25, [{ first: 101, last: 230 }]],
  [
    'a wide gap makes two ranges',
    ids([1, 65], [50_001, 50_065]),
    0.25,
    [
      { first: 1, last: 65 },
      { first: 50_001, last: 50_065 },
    ],
  ],
  ['a small gap makes one range', ids([1, 65], [80, 144]), 0.25, [{ first: 1, last: 144 }]],
  [
    'ids all over the table are not grouped',
    Array.from({ length: 130 }, (_, index) => ({ id: 1 + index * 700 })),
    0.25,
    undefined,
  ],
  ['ids are not grouped where nearly every record matches', ids([1, 130]), 0.9, undefined],
  ['a few candidates are not worth a query', ids([1, 9]), 0.25, undefined],
  ['no candidates are not grouped', [], 0.25, undefined],
])('%s', (_, candidates, share, groups) => expect(groupIds(candidates, share)).toEqual(groups))
