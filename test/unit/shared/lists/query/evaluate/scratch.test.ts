import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { takeScratch } from '../../../../../../shared/lists/query/evaluate/scratch.ts'

const large = 200_000

it('two evaluations are large at a time, the others wait in their order', async () => {
  const all = [takeScratch(), takeScratch(), takeScratch(), takeScratch()] as const
  const served: number[] = []
  const turns = all.map(async (scratch, index) => {
    await scratch.turnFor(large, 0)
    served.push(index)
  })
  await nextTurn()
  expect(served).toEqual([0, 1])
  all[1].release()
  await nextTurn()
  expect(served).toEqual([0, 1, 2])
  all[0].release()
  await Promise.all(turns)
  expect(served).toEqual([0, 1, 2, 3])
  all[2].release()
  all[3].release()
})

it('an evaluation that selects little never waits', async () => {
  const busy = [takeScratch(), takeScratch()] as const
  for (const scratch of busy) await scratch.turnFor(large, 0)
  expect(takeScratch().turnFor(60_000, 0)).toBeUndefined()
  for (const scratch of busy) scratch.release()
})

it('one that has its turn keeps what it wrote, and does not ask again', async () => {
  // What the one before left behind has room for ids but not for keys.
  const before = takeScratch()
  await before.turnFor(large, 0)
  before.ids(large).fill(7)
  before.release()
  const scratch = takeScratch()
  scratch.ids(50_000).fill(1)
  scratch.keys(50_000).fill(0.5)
  await scratch.turnFor(large, 50_000)
  expect(scratch.turnFor(2 * large, large)).toBeUndefined()
  expect(
    scratch
      .ids(large)
      .subarray(0, 50_000)
      .every((id) => id === 1),
  ).toBe(true)
  expect(
    scratch
      .keys(large)
      .subarray(0, 50_000)
      .every((key) => key === 0.5),
  ).toBe(true)
  scratch.release()
})
