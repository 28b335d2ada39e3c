import { expect, it } from 'vitest'
import { createEngineShelf } from '../../../../../shared/scripts/sandbox/worker/engine-shelf.ts'
import type { Engine } from '../../../../../shared/scripts/sandbox/worker/engine.ts'

/** A shelf with engines that are only numbers, which says how often each was taken back. */
function shelfOfNumbers({ canReset = (): boolean => true } = {}) {
  let made = 0
  const resets: number[] = []
  const shelf = createEngineShelf({
    prepare: async () => made++ as unknown as Engine,
    makeReusable: (engine) => ({
      engine,
      reset: () => (resets.push(engine as unknown as number), canReset()),
    }),
  })
  async function use(tenant: number, isExpression: boolean, status: 'ok' | 'stopped' | 'broken' = 'ok') {
    const lent = await shelf.lend({ tenant, isExpression })
    await lent.giveBack(status)
    return Number(lent.engine as unknown)
  }
  return { use, resets }
}

it('lends the expressions of a tenant one engine, which it takes back after each', async () => {
  const { use, resets } = shelfOfNumbers()
  expect([await use(1, true), await use(1, true), await use(1, false), await use(1, true)]).toEqual([0, 0, 0, 0])
  expect(resets).toEqual([0, 0, 0, 0])
})

it('lends another engine to another tenant, and to the first after it', async () => {
  const { use } = shelfOfNumbers()
  const [first, other, again] = [await use(1, true), await use(2, true), await use(1, true)]
  expect(new Set([first, other, again]).size).toBe(3)
})

it.each(['stopped', 'broken'] as const)('discards an engine whose run was %s', async (status) => {
  const { use } = shelfOfNumbers()
  const first = await use(1, true, status)
  expect(await use(1, true)).not.toBe(first)
})

it('discards an engine that cannot be taken back', async () => {
  const { use } = shelfOfNumbers({ canReset: () => false })
  expect(await use(1, true)).not.toBe(await use(1, true))
})

it('keeps an engine for a tenant from its second script in a row on', async () => {
  const { use, resets } = shelfOfNumbers()
  const [first, second, third, fourth] = [
    await use(1, false),
    await use(1, false),
    await use(1, false),
    await use(1, false),
  ]
  expect(new Set([first, second, third]).size).toBe(3)
  expect(fourth).toBe(third)
  expect(resets).toEqual([third, third])
})
