import { describe, expect, it } from 'vitest'
import { seededRandomness } from '../../../../../../infra/local/runtime/timing/randomness.ts'
import { openTimeline } from '../../../../../../infra/local/runtime/timing/timeline.ts'

describe('a timeline', () => {
  const frozen = () => openTimeline(() => 1_000)

  it('calls back in order what is due when it is moved', () => {
    const timeline = frozen()
    const seen: string[] = []
    timeline.at(3_000, () => seen.push('third'))
    timeline.at(1_500, () => seen.push('first'))
    timeline.at(2_000, () => seen.push('second'))
    expect(timeline.next).toBe(1_500)
    timeline.moveTo(2_000)
    expect(seen).toEqual(['first', 'second'])
    expect([timeline.now(), timeline.movedMs, timeline.next]).toEqual([2_000, 1_000, 3_000])
    timeline.moveTo(1_000)
    expect(timeline.now()).toBe(2_000)
    timeline.moveTo(2_000.25)
    expect(timeline.now()).toBe(2_001)
  })

  it('forgets what was cancelled, however much that is', () => {
    const timeline = frozen()
    const seen: number[] = []
    const cancels = Array.from({ length: 5_000 }, (_, n) => timeline.at(2_000 + n, () => seen.push(n)))
    for (const [n, cancel] of cancels.entries()) if (n !== 4_321) cancel()
    expect(timeline.next).toBe(6_321)
    timeline.moveTo(10_000)
    expect(seen).toEqual([4_321])
    expect(timeline.next).toBeUndefined()
  })

  it('lets what it calls back wait again', () => {
    const timeline = frozen()
    const seen: number[] = []
    const tick = (): void => {
      seen.push(timeline.now())
      if (seen.length < 3) timeline.at(timeline.now() + 100, tick)
    }
    timeline.at(1_100, tick)
    for (let next = timeline.next; next !== undefined; next = timeline.next) timeline.moveTo(next)
    expect(seen).toEqual([1_100, 1_200, 1_300])
  })

  it('follows the clock below without being moved', async () => {
    const timeline = openTimeline()
    const before = timeline.now()
    await timeline.sleep(20)
    expect(timeline.now() - before).toBeGreaterThanOrEqual(20)
    expect(timeline.movedMs).toBe(0)
  })

  it('ends a sleep by its signal, and all of them when it is closed', async () => {
    const timeline = frozen()
    const stopping = new AbortController()
    const stopped = timeline.sleep(1_000, stopping.signal)
    const closed = timeline.sleep(1_000)
    stopping.abort(new Error('not needed'))
    await expect(stopped).rejects.toThrow('not needed')
    timeline.close()
    await expect(closed).rejects.toThrow('The local cloud is stopped.')
    await expect(timeline.sleep(1)).rejects.toThrow('The local cloud is stopped.')
  })
})

describe('seeded randomness', () => {
  const draw = (seed: number, purpose: string): number[] =>
    Array.from({ length: 1_000 }, seededRandomness(seed)(purpose))

  it('repeats for a seed and a purpose, and for no other', () => {
    expect(draw(1, 'queue')).toEqual(draw(1, 'queue'))
    expect(draw(1, 'queue')).not.toEqual(draw(2, 'queue'))
    expect(draw(1, 'queue')).not.toEqual(draw(1, 'stream'))
  })

  it('is spread over 0 to 1', () => {
    const drawn = draw(7, 'spread')
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...drawn)).toBeLessThan(1)
    expect(Math.abs(drawn.reduce((sum, value) => sum + value, 0) / drawn.length - 0.5)).toBeLessThan(0.05)
  })
})
