import { expect, it } from 'vitest'
import { showDecision } from '../../../../../../shared/automation/processes/instances/show-decision.ts'

const outcome = (from: 'field' | 'other', more: object = {}) => ({
  execution_id: 'rule#1',
  id: 1,
  code: 'discount',
  version: 2,
  inputs: [{ name: 'amount', value: 5, from }],
  rules: [{ id: 'r1', number: 1 }],
  matched: 1,
  result: 3,
  ...more,
})
const viewer = (...read: string[]): any => ({
  isAdministrator: false,
  permissions: ['orders.read'],
  grants: [{ permissions: ['orders.read'], rules: [], fields: { orders: { read } } }],
})
const unlimited: any = { ...viewer(), grants: [{ permissions: ['orders.read'], rules: [], fields: {} }] }

it.each([
  ['without field rules', unlimited, outcome('other'), false],
  ['with the field', viewer('amount'), outcome('field'), false],
  ['without the field', viewer('title'), outcome('field'), true],
  ['with the field, of a variable that has its name', viewer('amount'), outcome('other'), true],
  [
    'with the field, of a decision whose other inputs were not kept',
    viewer('amount'),
    outcome('field', { is_shortened: true }),
    true,
  ],
])('a viewer %s', (_, who, what, isHidden) => {
  const shown = showDecision(who, 'orders', what)
  expect([shown.is_hidden ?? false, shown.result, shown.matched, shown.rules.length]).toEqual(
    isHidden ? [true, null, null, 0] : [false, 3, 1, 1],
  )
})
