import { expect, it } from 'vitest'
import type { ColumnView } from '../../../../../../shared/lists/columns/reader/view.ts'
import { selectByRank, selectChunks, type Selecting } from '../../../../../../shared/lists/query/evaluate/select.ts'

/** Three chunks, of which the second has no living record. */
const alive = [Uint8Array.of(0, 1, 1, 0), undefined, Uint8Array.of(1, 0, 1, 1)]
const view = {
  chunks: alive.length,
  ready: () => undefined,
  alive: (chunk: number) => alive[chunk],
} as unknown as ColumnView
const everything: Selecting = { view, condition: { kind: 'constant', passes: true }, turn: () => undefined }
const ids = [1, 2, 32_768, 32_770, 32_771]

it('the ids at some ranks are those of the whole list, up or down', async () => {
  for (const descending of [false, true]) {
    const whole = descending ? ids.toReversed() : ids
    for (let from = 0; from <= 6; from += 1)
      for (let to = from; to <= 7; to += 1)
        expect(await selectByRank(everything, { from, to }, descending)).toEqual({
          ids: whole.slice(from, to),
          count: ids.length,
        })
  }
})

it('chunks come in either order, with the positions that they have', async () => {
  const seen: [number, number, number[]][] = []
  for (const descending of [false, true])
    for await (const { chunk, count, positions } of selectChunks(everything, false, descending))
      seen.push([chunk, count, [...positions()]])
  const [first, last] = [
    [0, 2, [1, 2]],
    [2, 3, [0, 2, 3]],
  ]
  expect(seen).toEqual([first, last, last, first])
})
