import { describe, expect, it } from 'vitest'
import { stepExpressions } from '../../../../../../shared/automation/processes/evaluate/step-expressions.ts'
import type { StepScope } from '../../../../../../shared/automation/processes/evaluate/step-scope.ts'
import type { HookContext } from '../../../../../../shared/records/records/hooks/run-hook.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }
const instance = { id: 7, code: 'approval', model: 'requests', recordId: 3 }
const scope = { record: async () => null, old: async () => null, user: async () => null, task: null }

/** Evaluates an expression of which the sandbox answers this. */
const evaluated = (result: object): Promise<unknown> => {
  const runtime = { run: async () => result, notifications: () => ({}) }
  const open = async () => ({ runtime }) as unknown as HookContext
  return stepExpressions(open, tenant, instance, scope as unknown as StepScope)('${record.amount}', { variables: {} })
}

it('the value of an expression is what the sandbox answers', async () => {
  expect(await evaluated({ status: 'ok', value: 5 })).toBe(5)
})

it('an expression whose sandbox breaks throws why, so that its step is repeated', async () => {
  const defect = new Error('the sandbox is gone')
  await expect(evaluated({ status: 'error', defect, error: { message: 'internal' } })).rejects.toBe(defect)
})

it('an expression that fails names itself and its error, and says when it was stopped', async () => {
  const message = 'The expression ${record.amount} failed: '
  await expect(evaluated({ status: 'error', error: { message: 'nope' } })).rejects.toThrow(`${message}nope`)
  await expect(evaluated({ status: 'timeout' })).rejects.toThrow(`${message}it was stopped`)
})

describe('an expression that needs no sandbox', () => {
  const never = async () => Promise.reject(new Error('the sandbox was opened'))
  const record = { id: 3, amount: 1200, state: 'open' }
  const here = { ...scope, record: async () => record, old: async () => record } as unknown as StepScope
  const task = { id: 1, element_id: 'approve', name: null, outcome: 'yes', completed_by: 3 }
  const at = { variables: { limit: 1000, Date: 'mine' }, task, tasks: { approve: { outcome: 'yes' } } }
  const valueOf = (text: string) => stepExpressions(never, tenant, instance, here)(text, at)

  it.each([
    ['record.amount > 1000 && record.state == "open"', true],
    ['${variables.limit}', 1000],
    ['record.amount > limit', true],
    ['task.outcome === tasks.approve.outcome', true],
    ['loop === null && tasks.other === undefined', true],
    ['= record.amount > limit and task.outcome = "yes"', true],
    ['${= if tasks.approve.outcome = "yes" then limit + 0.1 + 0.2 else null}', 1000.3],
    ['= nobody.knows > 3', null],
    ['= date("2026-01-31") + duration("P1M")', '2026-02-28'],
  ])('%s', async (text, value) => {
    expect(await valueOf(text)).toEqual(value)
  })

  it('leaves the names of JavaScript to JavaScript', async () => {
    await expect(valueOf('Date === "mine"')).rejects.toThrow('the sandbox was opened')
  })

  it('in FEEL that could run for ever fails with the reason', async () => {
    await expect(valueOf('= for x in 1..100000000 return x')).rejects.toThrow('its time would have no bound')
  })
})

it('a variable that an expression names alone is one in the sandbox, too', async () => {
  const scripts: string[] = []
  const runtime = {
    run: async ({ script }: { script: string }) => (scripts.push(script), { status: 'ok', value: 1 }),
    notifications: () => ({}),
  }
  const open = async () => ({ runtime }) as unknown as HookContext
  const variables = { limit: 3, Date: 1, record: 2 }
  await stepExpressions(open, tenant, instance, scope as unknown as StepScope)('new Date(limit, record)', { variables })
  expect(scripts[0]).toMatch(/, limit = \$data\.variables\.limit; return \(new Date\(limit, record\)\n\)$/)
})
