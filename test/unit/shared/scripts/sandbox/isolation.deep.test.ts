import { AsyncLocalStorage } from 'node:async_hooks'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { createSandbox, type ScriptHost } from '../../../../../shared/scripts/sandbox/sandbox.ts'
import { checkSource } from '../../../../../shared/scripts/source/check-source.ts'
import { scriptNow } from '../../../../make/builders/script-runs.ts'

const sandbox = createSandbox({ chains: 2, waitMs: 30_000 })
afterAll(() => sandbox.close())

/** The async context of each request, like the scope of its log. */
const requests = new AsyncLocalStorage<string>()

/** Leaves a mark wherever a script can write, collects every mark it finds, and starts the next level. */
const script = checkSource(`
  const marks = [$data.mark, $user.mark, $context.mark]
  for (const place of [globalThis, Object.prototype, Array.prototype, JSON, Math, Function.prototype, console, $api]) {
    try { if (place.leftBehind !== undefined && !/function/.test(typeof place.leftBehind)) marks.push(place.leftBehind) } catch (e) {}
    try { Object.defineProperty(place, 'leftBehind', { value: $data.mark, configurable: true }) } catch (e) {}
  }
  for (let i = 0; i < $data.calls; i++) marks.push(...$api.deeper($data.mark, i))
  $api->log($data->mark)
  if ($data.ends === 'loop') for (;;);
  if ($data.ends === 'throw') throw new Exception($data.mark)
  $data.marks = [...new Set(marks)]
`)

interface Plan {
  readonly depth: number
  readonly calls: number
  readonly ends: 'well' | 'throw' | 'loop'
}

interface Seen {
  readonly marks: Set<unknown>
  readonly requests: Set<string | undefined>
  runs: number
}

async function runNested(mark: string, plan: Plan, depth: number, seen: Seen): Promise<void> {
  const host: ScriptHost = {
    async call(method, args) {
      seen.requests.add(requests.getStore())
      seen.marks.add(args[0])
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 3))
      if (method === 'deeper' && depth < plan.depth) await runNested(mark, plan, depth + 1, seen)
      return [mark]
    },
  }
  const ends = depth === plan.depth ? plan.ends : 'well'
  const variables = { data: { mark, calls: plan.calls, ends }, user: { mark }, context: { mark, now: scriptNow } }
  const { status, data, log, error } = await sandbox.run({
    tenant: 1,
    source: script,
    variables,
    host,
    depth,
    limits: { cpuMs: 400, wallMs: 60_000 },
  })
  seen.runs++
  expect(status).toBe({ well: 'ok', throw: 'error', loop: 'stopped' }[ends])
  if (status === 'ok') for (const found of (data as { marks: unknown[] }).marks) seen.marks.add(found)
  if (ends === 'throw') seen.marks.add(error?.message)
  for (const { message } of log) seen.marks.add(message)
}

describe('ten tenants in parallel, with nested hooks', () => {
  const plan: fc.Arbitrary<Plan> = fc.record({
    depth: fc.integer({ min: 0, max: 5 }),
    calls: fc.integer({ min: 1, max: 2 }),
    ends: fc.constantFrom('well', 'well', 'well', 'throw', 'loop') as fc.Arbitrary<Plan['ends']>,
  })

  it('see nothing of each other and do not deadlock', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 10, maxLength: 10 }), async (plans) => {
        await Promise.all(
          plans.map(async (one, index) => {
            // An endless loop at every leaf of a wide tree would take too long.
            const calm = one.ends === 'loop' || one.depth > 3 ? { ...one, calls: 1 } : one
            const mark = `tenant-${index}-${Math.random()}`
            const seen: Seen = { marks: new Set(), requests: new Set(), runs: 0 }
            await requests.run(mark, () => runNested(mark, calm, 0, seen))
            expect([...seen.marks]).toEqual([mark])
            expect([...seen.requests]).toEqual([mark])
            expect(seen.runs).toBeGreaterThan(calm.depth)
          }),
        )
      }),
      { numRuns: 5 },
    )
  })
})
