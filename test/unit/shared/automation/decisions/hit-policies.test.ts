import { expect, it } from 'vitest'
import type { DecisionTable } from '../../../../../shared/automation/decisions/definition/model.ts'
import { applyHitPolicy, type Hit } from '../../../../../shared/automation/decisions/evaluate/hit-policies.ts'

const hits = [null, 'low', 'high'].map((value, index): Hit => ({
  rule: { id: `rule-${index + 1}` } as Hit['rule'],
  index,
  value,
}))

it.each([
  ['PRIORITY', 'high'],
  ['OUTPUT ORDER', ['high', 'low', null]],
] as const)('%s puts an output that has no priority, as null, after all that have one', (hitPolicy, value) => {
  const table = { hitPolicy, outputs: [{ name: 'level', priorities: ['high', 'low'] }] } as unknown as DecisionTable
  expect(applyHitPolicy(table, hits, undefined, JSON.stringify)).toMatchObject({ value })
})
