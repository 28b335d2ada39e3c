import { expect, it } from 'vitest'
import { emptyStamps, setStamp } from '../../../../../../shared/lists/columns/reader/chunk-stamps.ts'
import { emptyTail, prunedTail, putTailRow } from '../../../../../../shared/lists/columns/reader/tail.ts'
import { goneRow } from '../../../../../../shared/lists/columns/row-of-record.ts'

it('a pruned tail has the rows that neither the folded entries nor the stamps of new blocks have', () => {
  const tail = emptyTail()
  const put = (position: number, version: number, seq: number): void =>
    putTailRow(tail, 0, position, { row: goneRow(position, version), seq, order: position })
  put(1, 1, 5)
  put(2, 1, 6)
  put(3, 1, Infinity)
  put(4, 2, Infinity)
  put(4, 3, Infinity)
  const stamps = emptyStamps()
  setStamp(stamps, 3, 3)
  setStamp(stamps, 4, 5)
  const pruned = prunedTail(tail, 5, new Map([[0, stamps]]))
  expect([...(pruned.chunks.get(0)?.keys() ?? [])]).toEqual([2, 4])
  expect([pruned.size, pruned.bytes]).toEqual([2, tail.bytes / 2])
  expect(prunedTail(tail, 6, new Map()).size).toBe(2)
  expect(prunedTail(pruned, 7, new Map([[0, { ...stamps, stamps: new Uint32Array(8).fill(99) }]])).chunks.size).toBe(0)
})
