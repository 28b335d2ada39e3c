import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  evaluateRules,
  holds,
  meetsRules,
} from '../../../../../../shared/automation/bpmn/expressions/completion-rules.ts'
import {
  type CompletionRule,
  type FieldCondition,
  fieldOperators,
} from '../../../../../../shared/automation/bpmn/shapes/compiled-process.ts'
import { runs } from '../../../../../make/depth.ts'

type Op = FieldCondition['op']
const condition = (op: Op, ...values: string[]): FieldCondition => ({ field: 'f', op, values })
const rule = (conditions: readonly FieldCondition[], more: Partial<CompletionRule> = {}): CompletionRule => ({
  match: 'all',
  conditions,
  groups: [],
  ...more,
})
const holding = condition('eq', 'x')
const failing = condition('eq', 'y')
const state = { data: { f: 'x' } }

describe('a condition on one field', () => {
  it.each<[unknown, Op, string[], boolean]>([
    ['open', 'eq', ['open'], true],
    ['open', 'eq', ['Open'], false],
    ['open', 'eq', ['closed'], false],
    [3, 'eq', ['3'], true],
    [3, 'eq', ['3.0'], true],
    [3, 'eq', ['4'], false],
    [0, 'eq', [''], false],
    [0, 'eq', ['x'], false],
    [16, 'eq', ['0x10'], false],
    [true, 'eq', ['true'], true],
    [true, 'eq', ['1'], true],
    [false, 'eq', ['false'], true],
    [false, 'eq', ['true'], false],
    [false, 'eq', ['no'], false],
    ['3', 'eq', ['3.0'], false],
    ['2026-11-20T07:17:00.000Z', 'eq', ['2026-11-20T08:17:00+01:00'], true],
    ['2026-11-20', 'eq', ['2026-11-20'], true],
    [null, 'eq', ['null'], false],
    [null, 'eq', [''], true],
    ['', 'eq', [''], true],
    [['a.pdf'], 'eq', ['a.pdf'], true],
    [['a.pdf', 'b.pdf'], 'eq', ['a.pdf'], false],
    [{ lat: 1, lng: 2 }, 'eq', ['[object Object]'], false],
    ['open', 'ne', ['closed'], true],
    ['open', 'ne', ['open'], false],
    [null, 'ne', ['open'], true],
    [null, 'ne', [''], false],
    [3, 'ne', ['3'], false],
    ['open', 'in', ['new', 'open'], true],
    ['open', 'in', ['new'], false],
    [null, 'in', ['new'], false],
    [2, 'in', ['1', '2'], true],
    ['open', 'notIn', ['new', 'closed'], true],
    ['open', 'notIn', ['new', 'open'], false],
    [null, 'notIn', ['new'], true],
    [5, 'gt', ['4'], true],
    [10, 'gt', ['9'], true],
    [5, 'gt', ['5'], false],
    [5, 'gt', ['x'], false],
    [null, 'gt', ['-1'], false],
    [true, 'gt', ['0'], false],
    ['b', 'gt', ['a'], true],
    ['2026-11-20T00:00:00.000Z', 'gt', ['2026-11-19'], true],
    ['2026-11-20T00:30:00.000Z', 'gt', ['2026-11-20T02:00:00+02:00'], true],
    [5, 'gte', ['5'], true],
    [4.9, 'gte', ['5'], false],
    ['2026-11-20', 'gte', ['2026-11-20'], true],
    [4, 'lt', ['5'], true],
    [5, 'lt', ['5'], false],
    [null, 'lt', ['5'], false],
    ['', 'lt', ['a'], false],
    [['a'], 'lt', ['b'], false],
    [5, 'lte', ['5'], true],
    [6, 'lte', ['5'], false],
    ['2026-11-19', 'lte', ['2026-11-20'], true],
    [null, 'empty', [], true],
    [undefined, 'empty', [], true],
    ['', 'empty', [], true],
    [[], 'empty', [], true],
    [0, 'empty', [], false],
    [false, 'empty', [], false],
    ['x', 'notEmpty', [], true],
    [0, 'notEmpty', [], true],
    [false, 'notEmpty', [], true],
    [null, 'notEmpty', [], false],
    ['', 'notEmpty', [], false],
    ['printer on fire', 'contains', ['fire'], true],
    ['printer', 'contains', ['Fire'], false],
    [null, 'contains', ['x'], false],
    [12, 'contains', ['1'], false],
    [['a.pdf', 'b.pdf'], 'contains', ['b.pdf'], true],
    [['a.pdf'], 'contains', ['a'], false],
    ['INC-7', 'startsWith', ['INC'], true],
    ['REQ-7', 'startsWith', ['INC'], false],
    [null, 'startsWith', ['x'], false],
    [['INC'], 'startsWith', ['INC'], false],
  ])('compares %j %s %j: %s', (f, op, values, expected) => {
    expect(holds(condition(op, ...values), { data: { f } })).toBe(expected)
    expect(meetsRules([rule([condition(op, ...values)])], { data: { f }, before: { f } }).met).toBe(expected)
  })

  it.each<[unknown, unknown, Op, string[], boolean]>([
    ['new', 'open', 'changes', [], true],
    ['open', 'open', 'changes', [], false],
    [null, '', 'changes', [], false],
    [undefined, null, 'changes', [], false],
    [null, 0, 'changes', [], true],
    [['a'], ['a'], 'changes', [], false],
    [['a'], ['a', 'b'], 'changes', [], true],
    [{ lat: 1, lng: 2 }, { lng: 2, lat: 1 }, 'changes', [], false],
    ['new', 'open', 'changesTo', ['open'], true],
    ['new', 'open', 'changesTo', ['closed', 'open'], true],
    ['new', 'open', 'changesTo', ['closed'], false],
    ['open', 'open', 'changesTo', ['open'], false],
    [3, 4, 'changesTo', ['4'], true],
    ['new', null, 'changesTo', [''], true],
    ['new', 'open', 'changesFrom', ['new'], true],
    ['new', 'open', 'changesFrom', ['open'], false],
    ['new', 'new', 'changesFrom', ['new'], false],
    [null, 'open', 'changesFrom', [''], true],
  ])('compares a change from %j to %j %s %j: %s', (before, f, op, values, expected) => {
    expect(holds(condition(op, ...values), { data: { f }, before: { f: before } })).toBe(expected)
  })

  it.each<[Op, string[]]>([
    ['changes', []],
    ['changesTo', ['x']],
    ['changesFrom', ['']],
  ])('%s does not hold when the task becomes pending', (op, values) => {
    expect(holds(condition(op, ...values), { data: { f: 'x' } })).toBe(false)
  })

  it('treats a missing field as empty, whatever its name', () => {
    expect(holds({ field: 'constructor', op: 'empty', values: [] }, { data: {} })).toBe(true)
  })

  it('is the opposite of its negation', () => {
    const value = fc.oneof(
      fc.constantFrom(null, undefined, '', 'x', 'y', 3, 0, true, false),
      fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
    )
    const pairs: [Op, Op][] = [
      ['eq', 'ne'],
      ['in', 'notIn'],
      ['empty', 'notEmpty'],
    ]
    fc.assert(
      fc.property(
        value,
        fc.constantFrom(...pairs),
        fc.array(fc.constantFrom('', 'x', 'y', '3', 'true'), { minLength: 1, maxLength: 3 }),
        (f, [op, not], values) => {
          expect(holds(condition(op, ...values), { data: { f } })).toBe(
            !holds(condition(not, ...values), { data: { f } }),
          )
        },
      ),
      { seed: 8, numRuns: runs(300) },
    )
  })

  it('orders numbers as JavaScript does', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (f, other) => {
          const held = (['lt', 'lte', 'gt', 'gte', 'eq'] as const).map((op) =>
            holds(condition(op, String(other)), { data: { f } }),
          )
          expect(held).toEqual([f < other, f <= other, f > other, f >= other, f === other])
        },
      ),
      { seed: 8, numRuns: runs(300) },
    )
  })
})

describe('a rule', () => {
  it.each<[string, CompletionRule, boolean]>([
    ['all hold', rule([holding, holding]), true],
    ['all, one fails', rule([holding, failing]), false],
    ['any, one holds', rule([failing, holding], { match: 'any' }), true],
    ['any, none holds', rule([failing, failing], { match: 'any' }), false],
    ['nothing is asked for', rule([]), false],
    ['any of nothing', rule([], { match: 'any' }), false],
    [
      'a group of which one holds',
      rule([holding], { groups: [{ match: 'any', conditions: [failing, holding] }] }),
      true,
    ],
    [
      'a group of which not all hold',
      rule([holding], { groups: [{ match: 'all', conditions: [failing, holding] }] }),
      false,
    ],
    ['any, a group holds', rule([failing], { match: 'any', groups: [{ match: 'all', conditions: [holding] }] }), true],
    [
      'only groups',
      rule([], {
        groups: [
          { match: 'all', conditions: [holding] },
          { match: 'any', conditions: [holding, failing] },
        ],
      }),
      true,
    ],
    ['an empty group', rule([holding], { groups: [{ match: 'all', conditions: [] }] }), false],
  ])('is met, or not: %s', (_, given, met) => expect(meetsRules([given], state).met).toBe(met))

  it('answers its outcome; the first rule that is met wins', () => {
    expect(
      meetsRules(
        [rule([failing], { outcome: 'a' }), rule([holding], { outcome: 'b' }), rule([holding], { outcome: 'c' })],
        state,
      ),
    ).toEqual({ met: true, outcome: 'b' })
    expect(meetsRules([rule([holding])], state)).toEqual({ met: true })
    expect(meetsRules([], state)).toEqual({ met: false })
  })
})

describe('a rule with an expression', () => {
  const withExpression = (conditions: FieldCondition[], match: 'all' | 'any' = 'all'): CompletionRule =>
    rule(conditions, { match, expression: 'ask', outcome: 'asked' })

  it.each<[string, CompletionRule[], boolean]>([
    ['all, a field fails', [withExpression([failing])], false],
    ['any, a field holds', [withExpression([holding], 'any')], true],
    ['a rule before it is met', [rule([holding]), withExpression([])], true],
  ])('is not evaluated when the fields decide: %s', async (_, rules, met) => {
    const ask = vi.fn<() => Promise<boolean>>()
    expect((await evaluateRules(rules, state, ask)).met).toBe(met)
    expect(meetsRules(rules, state)).toMatchObject({ met })
    expect(ask).not.toHaveBeenCalled()
  })

  it.each<[string, CompletionRule[], boolean]>([
    ['all, the fields hold', [withExpression([holding])], false],
    ['any, no field holds', [withExpression([failing], 'any')], false],
    ['nothing but the expression', [withExpression([])], false],
    ['a rule behind it is met', [withExpression([]), rule([holding])], true],
  ])('is asked for it when the fields leave it open: %s', async (_, rules, metOtherwise) => {
    const ask = vi.fn<() => Promise<boolean>>().mockResolvedValueOnce(true).mockResolvedValueOnce(false)
    expect(meetsRules(rules, state)).toEqual({ met: false, isOpen: true })
    expect(await evaluateRules(rules, state, ask)).toEqual({ met: true, outcome: 'asked' })
    expect((await evaluateRules(rules, state, ask)).met).toBe(metOtherwise)
    expect(ask).toHaveBeenCalledTimes(2)
  })

  it('evaluates the JavaScript, takes any truthy value, and passes errors on', async () => {
    expect(await evaluateRules([withExpression([])], state, async (source) => source.length)).toEqual({
      met: true,
      outcome: 'asked',
    })
    await expect(
      evaluateRules([withExpression([])], state, async () => Promise.reject(new Error('boom'))),
    ).rejects.toThrow('boom')
  })
})

it('agrees with a straightforward implementation for any rules', () => {
  const anyCondition = fc.record({
    field: fc.constantFrom('a', 'b'),
    op: fc.constantFrom(...fieldOperators),
    values: fc.array(fc.constantFrom('', '1', 'x'), { minLength: 1, maxLength: 2 }),
  })
  const match = fc.constantFrom('all' as const, 'any' as const)
  const conditions = fc.array(anyCondition, { maxLength: 3 })
  const rules = fc.array(
    fc.record({ match, conditions, groups: fc.array(fc.record({ match, conditions }), { maxLength: 2 }) }),
    { maxLength: 3 },
  )
  const value = fc.constantFrom(null, '', 'x', 'xy', 1, 2)
  const data = fc.record({ a: value, b: value })
  fc.assert(
    fc.property(rules, data, fc.option(data, { nil: undefined }), (given, now, before) => {
      const at = { data: now, before }
      const join = (how: 'all' | 'any', held: boolean[]): boolean =>
        held.length > 0 && (how === 'all' ? held.every(Boolean) : held.some(Boolean))
      const expected = given.some((each) =>
        join(each.match, [
          ...each.conditions.map((one) => holds(one, at)),
          ...each.groups.map((group) =>
            join(
              group.match,
              group.conditions.map((one) => holds(one, at)),
            ),
          ),
        ]),
      )
      expect(meetsRules(given, at).met).toBe(expected)
    }),
    { seed: 8, numRuns: runs(500) },
  )
})
