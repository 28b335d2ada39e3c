import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, it } from 'vitest'
import { createSandbox } from '../../../../../shared/scripts/sandbox/sandbox.ts'
import { ScriptSyntaxError } from '../../../../../shared/scripts/source/check-source.ts'
import { runIn, timeFactor } from '../../../../make/builders/script-runs.ts'
import { stride } from '../../../../make/depth.ts'
import { hostileScripts } from './hostile-scripts.ts'

const sandbox = createSandbox({ chains: 2 })
const run = runIn(sandbox)
afterAll(() => sandbox.close())

/** Shorter than in production, because there are hundreds; the bench runs them all with the contract's limits. */
const limits = { cpuMs: 100, wallMs: 60_000 }
const boundMs = (100 + 500) * timeFactor
/** The processor time of this process, which does not grow with the load of the machine. */
const computedMs = (since = 0): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 - since
}

const probe = `
  const globals = [typeof hacked, typeof x, typeof huge, Object.keys(Object.prototype).length, Object.keys(Array.prototype).length]
  $data.seen = [...globals, JSON.stringify([1]), $api.find('a', 1).args, new Exception('e').message]`
const untouched = ['undefined', 'undefined', 'undefined', 0, 0, '[1]', ['a', 1], 'e']

describe.concurrent(
  'a hostile script ends with a clear outcome and does not affect the next run',
  { timeout: 240_000 },
  () => {
    it('has more than a hundred variants, each once', () => {
      expect(new Set(hostileScripts.map(({ name }) => name)).size).toBe(hostileScripts.length)
      expect(hostileScripts.length).toBeGreaterThan(100)
    })

    it.each([0, 1])('half %i of them', async (half) => {
      for (const { name, script, ends } of hostileScripts.filter((_, index) => index % (2 * stride) === half)) {
        const before = computedMs()
        const { status, error, log, calls } = await run(script, { limits }).catch((cause) => {
          if (cause instanceof ScriptSyntaxError) return { status: 'refused' as const, error: cause, log: [], calls: 0 }
          throw new Error(name, { cause })
        })
        expect(ends, name).toContain(status)
        expect(error?.message ?? 'none, for it ended well', name).toMatch(/\S/)
        expect(error === undefined, name).toBe(status === 'ok')
        expect(error?.message.length ?? 0, name).toBeLessThanOrEqual(2100)
        expect(computedMs(before), name).toBeLessThan(boundMs)
        expect(log.length, name).toBeLessThanOrEqual(200)
        expect(calls, name).toBeLessThanOrEqual(50)
        expect(await run(probe), `after ${name}`).toMatchObject({ status: 'ok', data: { seen: untouched } })
      }
    })
  },
)

describe('at the limits of the contract', () => {
  it.each([
    ['a loop', 'for (;;);'],
    ['a native loop', 'new Array(2 ** 32 - 1).indexOf(1)'],
    ['a regular expression', '/^(a+)+$/.test("a".repeat(60) + "b")'],
  ])('%s is stopped within 1.5 s', { timeout: 240_000 }, async (_, script) => {
    await run('')
    const before = computedMs()
    expect(await run(script, { limits: { wallMs: 60_000 } })).toMatchObject({
      status: 'stopped',
      error: { message: 'The script took longer than 1 s to compute' },
    })
    expect(computedMs(before)).toBeLessThan(1500 * timeFactor)
  })

  it('what a machine full of other work delays is not stopped: processor time counts', async () => {
    const busy = Array.from(
      { length: 2 * availableParallelism() },
      () => new Worker('for (const from = Date.now(); Date.now() - from < 60_000; );', { eval: true }),
    )
    const limit = { limits: { cpuMs: 300, wallMs: 30_000 } }
    const { status, ms } = await run('let n = 0; while (n < 1.5e6) n += 1; return n', limit)
    await Promise.all(busy.map((one) => one.terminate()))
    expect(status).toBe('ok')
    // It has waited for its turn, else this says nothing.
    expect(ms).toBeGreaterThan(300)
  })
})
