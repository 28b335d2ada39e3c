import { describe, expect, it } from 'vitest'
import { tinyCloud } from '../../../../../make/services/tiny-cloud.ts'
import type { TinyCloudOptions } from '../../../../../make/services/tiny-cloud.ts'
import { queued } from '../../../../../make/services/tiny-consumer.ts'
import { tinyFunction, tinyTable } from '../../../../../make/services/tiny-template.ts'

const counting = (options: Partial<TinyCloudOptions>, code: string) =>
  tinyCloud({
    code,
    resources: { Table: tinyTable(), CountFunction: tinyFunction('count', { Timeout: 3 }) },
    ...options,
  })

const code = `
  let calls = 0
  export const count = async (event, context) => {
    calls++
    if (event.waits) await new Promise((resolve) => setTimeout(resolve, 30))
    return { calls, stream: context.logStreamName }
  }`

interface Counted {
  readonly calls: number
  readonly stream: string
}

describe('instances of a function', () => {
  it('have a module state each, and share the invocations', async () => {
    const cloud = await counting({ instances: 3, seed: 1 }, code)
    const calls = new Map<string, number>()
    for (let n = 0; n < 30; n++) {
      const counted = (await cloud.invoke('count')) as Counted
      expect(counted.calls).toBe((calls.get(counted.stream) ?? 0) + 1)
      calls.set(counted.stream, counted.calls)
    }
    expect(calls.size).toBe(3)
    expect(Math.min(...calls.values())).toBeGreaterThan(2)
  })

  it('take concurrent invocations one each', async () => {
    const cloud = await counting({ instances: 3 }, code)
    const counted = (await Promise.all(
      Array.from({ length: 3 }, () => cloud.invoke('count', { waits: true })),
    )) as Counted[]
    expect(new Set(counted.map(({ stream }) => stream)).size).toBe(3)
  })

  it('are chosen alike for the same seed', async () => {
    const chosen = async (seed: number): Promise<number[]> => {
      const cloud = await counting({ instances: 3, seed }, code)
      const calls: number[] = []
      for (let n = 0; n < 12; n++) calls.push(((await cloud.invoke('count')) as Counted).calls)
      return calls
    }
    expect(await chosen(5)).toEqual(await chosen(5))
    expect(await chosen(6)).not.toEqual(await chosen(5))
  })

  it('begin their first invocation later, as set', async () => {
    const cloud = await counting({ instances: 2, coldStartMs: 200 }, code)
    const timed = async (): Promise<number> => {
      const from = performance.now()
      await cloud.invoke('count')
      return performance.now() - from
    }
    const cold = await timed()
    expect(cold).toBeGreaterThanOrEqual(195)
    await cloud.warm()
    // Now and then, whatever else the machine does: another cold start would take longer each time.
    await expect.poll(timed).toBeLessThan(150)
  })

  it('are one by default', async () => {
    const cloud = await counting({}, code)
    for (let n = 1; n <= 5; n++) expect(await cloud.invoke('count')).toMatchObject({ calls: n })
  })

  it('share the batches of a queue', async () => {
    const { consumer, cloud, send } = await queued({ BatchSize: 1 }, {}, {}, { instances: 3, timing: 'aws', seed: 2 })
    await Promise.all(Array.from({ length: 20 }, (_, n) => send(`m${n}`)))
    await cloud.idle()
    expect(new Set(consumer.batches.flat()).size).toBe(20)
  })
})
