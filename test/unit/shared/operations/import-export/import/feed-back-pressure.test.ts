import { describe, expect, it } from 'vitest'
import { feedBackPressure } from '../../../../../../shared/operations/import-export/import/append-to-log.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'

const tenant = { id: 1 }

/** A change feed that has written the history of records up to `seen`. */
function simulatedFeed() {
  const clock = frozenClock()
  const feed = { seen: 0, reads: 0, perSleep: 0 }
  const slept: number[] = []
  const store = {
    get: async (_: unknown, { pk }: { pk: string }) => {
      feed.reads++
      return Number(pk.split('#').at(-1)) <= feed.seen ? { version: 1 } : undefined
    },
  }
  const sleep = async (ms: number) => {
    slept.push(ms)
    clock.advance(ms)
    feed.seen += feed.perSleep
  }
  return { feed, slept, backPressure: feedBackPressure(store as never, { now: clock.now, sleep }, tenant, 'things') }
}

describe('the back-pressure on an import', () => {
  it('needs no read while the change feed cannot be far behind', async () => {
    const { feed, slept, backPressure } = simulatedFeed()
    for (let id = 100; id <= 600; id += 100) {
      backPressure.stored(id, 100)
      await backPressure.wait()
    }
    expect([feed.reads, slept]).toEqual([0, []])
  })

  it('waits until the change feed has caught up enough', async () => {
    const { feed, slept, backPressure } = simulatedFeed()
    feed.perSleep = 50
    for (let id = 100; id <= 900; id += 100) backPressure.stored(id, 100)
    await backPressure.wait()
    expect(feed.seen).toBe(300)
    expect(slept).toHaveLength(6)
  })

  it('continues slowly when the change feed is stuck', async () => {
    const { slept, backPressure } = simulatedFeed()
    backPressure.stored(1000, 1000)
    await backPressure.wait()
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(1000)
    expect(slept.length).toBeGreaterThan(10)
  })
})
