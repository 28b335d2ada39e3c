import { afterAll, describe, expect, it } from 'vitest'
import { createSandbox } from '../../../../../shared/scripts/sandbox/sandbox.ts'
import { runIn } from '../../../../make/builders/script-runs.ts'

/** One thread, so that the runs follow each other in the engine that it keeps for the tenant. */
const sandbox = createSandbox({ chains: 1 })
const run = runIn(sandbox)
afterAll(() => sandbox.close())

/** Runs a script as often as it takes until the thread keeps an engine for the tenant, and once more. */
async function runAgain(script: string) {
  for (let n = 0; n < 3; n += 1) await run('1')
  return run(script)
}

const marks: [string, string, string][] = [
  ['a global', 'globalThis.mark = 1', 'typeof mark'],
  ['an undeclared variable', 'mark = 1', 'typeof mark'],
  [
    'a method of a prototype',
    'Array.prototype.map = () => "mark"',
    '[1].map(String)[0] === "1" ? "undefined" : "mark"',
  ],
  ['a member of every object', 'Object.prototype.mark = 1', 'typeof {}.mark'],
  [
    'a replaced global',
    'globalThis.JSON = { parse: () => "mark" }',
    'typeof JSON.parse("null") === "object" ? "undefined" : 1',
  ],
  ['a pending promise', 'new Promise(() => {}).then(() => { globalThis.mark = 1 })', 'typeof mark'],
  ['a frozen global', 'Object.freeze(globalThis)', '(globalThis.mark = 1, typeof mark === "number" ? "undefined" : 1)'],
  ['an exception', 'globalThis.mark = 1; throw new Error("no")', 'typeof mark'],
  ['a failure', 'globalThis.mark = 1; $api.fail("no")', 'typeof mark'],
  ['a stop', 'globalThis.mark = 1; for (;;);', 'typeof mark'],
  ['much memory', 'globalThis.mark = new Array(2e6).fill(1); mark.length', 'typeof mark'],
]

describe('an engine that serves several runs of a tenant', () => {
  it.each(marks)('shows nothing of the run before that left %s', async (_, first, look) => {
    await runAgain(first)
    expect(await run(`return ${look}`)).toMatchObject({ status: 'ok', value: 'undefined' })
    expect(await run(`return ${look}`)).toMatchObject({ status: 'ok', value: 'undefined' })
  })

  it('begins each run with random numbers of its own', async () => {
    const seen = new Set<unknown>()
    for (let n = 0; n < 20; n += 1) seen.add((await run('return Math.random()')).value)
    expect(seen.size).toBe(20)
    const spread = (await run('return Array.from({ length: 1000 }, Math.random)')).value as number[]
    expect(Math.min(...spread)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...spread)).toBeLessThan(1)
    expect(spread.reduce((sum, one) => sum + one, 0) / spread.length).toBeGreaterThan(0.4)
    expect(spread.reduce((sum, one) => sum + one, 0) / spread.length).toBeLessThan(0.6)
  })

  it('keeps the limits of each run', async () => {
    await runAgain('return 1')
    const limits = { cpuMs: 100 }
    expect(await run('for (;;);', { limits })).toMatchObject({ status: 'stopped' })
    expect(await run('let n = 0; for (let i = 0; i < 1000; i++) n += i; return n', { limits })).toMatchObject({
      status: 'ok',
      value: 499_500,
    })
  })

  it('is that of its tenant only', async () => {
    await runAgain('globalThis.mark = 1')
    expect(await run('return typeof mark', { tenant: 2 })).toMatchObject({ value: 'undefined' })
    expect(await run('return typeof mark')).toMatchObject({ value: 'undefined' })
  })

  it('serves thousands of runs', async () => {
    for (let n = 0; n < 2_500; n += 1)
      expect(await run('$data.n = ($data.n ?? 0) + 1', { variables: { data: { n } } })).toMatchObject({
        data: { n: n + 1 },
      })
  })
})
