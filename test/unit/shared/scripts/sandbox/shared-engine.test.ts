import { afterAll, describe, expect, it } from 'vitest'
import { createSandbox } from '../../../../../shared/scripts/sandbox/sandbox.ts'
import { runIn } from '../../../../make/builders/script-runs.ts'

/** One thread, on which the expressions of all tenants follow each other. */
const sandbox = createSandbox({ chains: 1 })
const run = runIn(sandbox)
const evaluate = (expression: string, tenant = 1) => run(`return (${expression}\n)`, { tenant, isExpression: true })
afterAll(() => sandbox.close())

/** How many engines this uses. */
async function enginesOf(act: () => Promise<unknown>): Promise<number> {
  const before = sandbox.enginesUsed()
  await act()
  return sandbox.enginesUsed() - before
}

describe('the expressions of a step', () => {
  it('share one engine, and those of the next step use it as well', async () => {
    const twenty = async (tenant: number) => {
      for (let n = 0; n < 20; n += 1)
        expect(await evaluate(`new Date(${n}).getTime()`, tenant)).toMatchObject({ status: 'ok', value: n })
    }
    expect(await enginesOf(() => twenty(11))).toBe(1)
    expect(await enginesOf(() => twenty(11))).toBe(0)
    expect(await enginesOf(() => twenty(12))).toBe(1)
  })

  it.each([
    ['a global', 'globalThis.mark = 1', 'typeof mark'],
    ['a variable', 'mark = 1', 'typeof mark'],
    ['a method of lists', 'Array.prototype.map = () => ["mark"]', '[1].map(() => "undefined")[0]'],
    ['a member of every object', 'Object.prototype.mark = 1', 'typeof {}.mark'],
    ['a replaced global', 'globalThis.JSON = { parse: () => 1 }', 'JSON.parse("null") ?? "undefined"'],
    ['a frozen global', 'Object.freeze(globalThis)', '(globalThis.mark = 1, typeof mark) && "undefined"'],
    ['a job that is pending', 'new Promise(() => {}).then(() => { globalThis.mark = 1 })', 'typeof mark'],
    ['another $data', '$data = 5', '$data.title === "Printer" ? "undefined" : $data'],
    ['an exception', '(() => { globalThis.mark = 1; throw new Error("no") })()', 'typeof mark'],
    ['a failure', '(globalThis.mark = 1, $api.fail("no"))', 'typeof mark'],
    ['a stop', '(() => { globalThis.mark = 1; for (;;); })()', 'typeof mark'],
    ['a stack that is too deep', '(() => { globalThis.mark = 1; (function f() { f() })() })()', 'typeof mark'],
    ['much memory', '(globalThis.mark = new Array(2e6).fill(1)).length', 'typeof mark'],
    ['more memory than there is', '(globalThis.mark = new Array(2e8).fill(1)).length', 'typeof mark'],
  ])('show nothing to each other of %s', async (_, first, look) => {
    await evaluate(first)
    expect(await evaluate(look)).toMatchObject({ status: 'ok', value: 'undefined' })
    expect(await run(`return ${look}`)).toMatchObject({ status: 'ok', value: 'undefined' })
  })

  it('keep their limits, each its own', async () => {
    const limits = { cpuMs: 100 }
    const bounded = (expression: string) => run(`return (${expression})`, { isExpression: true, limits })
    expect(await bounded('(() => { for (;;); })()')).toMatchObject({
      status: 'stopped',
      error: { message: 'The script took longer than 0.1 s to compute' },
    })
    for (let n = 0; n < 5; n += 1) expect(await bounded('1 + 1')).toMatchObject({ status: 'ok', value: 2 })
  })

  it('are never those of another tenant', async () => {
    for (const tenant of [21, 22, 21, 22]) {
      expect(await enginesOf(() => evaluate('globalThis.mark = 1', tenant))).toBe(1)
      expect(await evaluate('typeof mark', tenant)).toMatchObject({ value: 'undefined' })
    }
  })
})
