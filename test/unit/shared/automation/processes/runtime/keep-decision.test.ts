import { expect, it } from 'vitest'
import { keptDecisions } from '../../../../../../shared/automation/processes/steps/keep-decision.ts'
import { maxKeptDecisionsOfStep } from '../../../../../../shared/kernel/limits/processes.ts'

const decided = (given: object, result: unknown = 1, matched = 1) => ({
  decision: { id: 3, code: 'discount', version: 2 },
  given: { ...given },
  result,
  rules: Array.from({ length: matched }, (_, index) => ({ id: `r${index + 1}`, number: index + 1 })),
  required: [],
})
const kept = (...every: ReturnType<typeof decided>[]) => {
  const decisions = keptDecisions()
  for (const [index, one] of every.entries()) decisions.keep(`rule#${index}`, one, new Map([['amount', 'field']]))
  return decisions.outcomes
}

it('a decision is kept with inputs, where they come from, matched rules and result', () => {
  expect(kept(decided({ amount: 5, why: null }, { percent: 3 }, 2))).toEqual([
    {
      execution_id: 'rule#0',
      id: 3,
      code: 'discount',
      version: 2,
      inputs: [
        { name: 'amount', value: 5, from: 'field' },
        { name: 'why', value: null, from: 'other' },
      ],
      rules: [
        { id: 'r1', number: 1 },
        { id: 'r2', number: 2 },
      ],
      matched: 2,
      result: { percent: 3 },
    },
  ])
})

it.each([
  ['a long text', { note: 'x'.repeat(9_000) }],
  ['a deep value', { note: { list: Array.from({ length: 900 }, (_, index) => index) } }],
])('%s is cut, and the decision says so', (_, given) => {
  const [one] = kept(decided(given))
  expect(one).toMatchObject({ is_shortened: true, inputs: [{ value: expect.stringMatching(/…$/) }] })
  expect(JSON.stringify(one).length).toBeLessThan(1_000)
})

it('of many inputs and rules the first are kept, and how many rules matched', () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`input_${index}`, index]))
  const [one] = kept(decided(many, [], 400))
  expect([one?.inputs.length, one?.rules.length, one?.matched, one?.is_shortened]).toEqual([50, 50, 400, true])
})

it('a step that evaluates a thousand decisions keeps which rule each was, and values of the first', () => {
  const every = Array.from({ length: 1_000 }, () => decided({ note: 'x'.repeat(400) }))
  const outcomes = kept(...every)
  expect(outcomes).toHaveLength(1_000)
  expect(outcomes[0]).not.toHaveProperty('is_shortened')
  expect(outcomes.at(-1)).toMatchObject({ inputs: [], rules: [{ id: 'r1' }], is_shortened: true })
  expect(JSON.stringify(outcomes).length).toBeLessThan(maxKeptDecisionsOfStep + 1_000 * 200)
})
