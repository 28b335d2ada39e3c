import { expect, it } from 'vitest'
import { stepExpressions } from '../../../../../../../shared/automation/processes/runtime/step/step-expressions.ts'
import type { StepScope } from '../../../../../../../shared/automation/processes/runtime/step/step-scope.ts'
import type { HookContext } from '../../../../../../../shared/records/records/service.ts'

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
