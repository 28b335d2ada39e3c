import { describe, expect, it } from 'vitest'
import { followConditions, meets } from '../../../web/fields/follow-conditions.ts'

const data = { kind: 'swap', count: 3, price: '12.50', day: '2026-11-26', tags: ['a', 'b'], done: true, name: 'Grace' }

describe('a condition of a form', () => {
  it.each([
    [{ kind: 'swap' }, true],
    [{ kind: ['new', 'swap'] }, true],
    [{ kind: null }, false],
    [{ nothing: null }, true],
    [{ kind: { _neq: 'swap' } }, false],
    [{ kind: { _nin: ['new'] } }, true],
    [{ name: { _icontains: 'RAC' } }, true],
    [{ name: { _starts_with: 'rac' } }, false],
    [{ count: { _gt: 2, _lte: 3 } }, true],
    [{ price: { _gte: 12.5 } }, true],
    [{ price: { _lt: 9 } }, false],
    [{ day: { _between: ['2026-11-01', '2026-11-30'] } }, true],
    [{ tags: { _has_any: ['b', 'c'] } }, true],
    [{ tags: { _has_all: ['b', 'c'] } }, false],
    [{ tags: { _eq: ['b', 'a'] } }, true],
    [{ done: true, kind: 'new' }, false],
    [{ _or: [{ kind: 'new' }, { count: 3 }] }, true],
    [{ _not: { kind: 'new' } }, true],
  ])('%j over what was typed is %j', (condition, expected) => {
    expect(meets(condition, data)).toBe(expected)
  })

  it('without a value holds for the operators that say so alone', () => {
    const holding = ['_eq', '_neq', '_gt', '_in', '_nin', '_null', '_nnull', '_empty', '_icontains'].filter(
      (operator) =>
        meets({ nothing: { [operator]: operator.endsWith('in') ? ['x'] : operator.endsWith('l') ? true : 'x' } }, data),
    )
    expect(holding).toEqual(['_neq', '_nin', '_null', '_empty'])
  })

  it('decides nothing where only the service knows', () => {
    expect([meets({ day: { _lt: '$TODAY' } }, data), meets({ kind: { _sounds_like: 'x' } }, data)]).toEqual([
      undefined,
      undefined,
    ])
    expect(meets({ kind: 'new', day: { _lt: '$TODAY' } }, data)).toBe(false)
    expect(meets({ _or: [{ kind: 'swap' }, { day: { _lt: '$TODAY' } }] }, data)).toBe(true)
  })
})

describe('a form that follows what is typed', () => {
  const field = { name: 'reason', type: 'text', visible: true, required: false, readonly: false }
  const shown = (more: object, typed: object, opened: object = {}) =>
    followConditions([{ ...field, ...more }], { ...typed }, { ...opened }).map(({ required, readonly }) => [
      required,
      readonly,
    ])

  it('shows and requires what the conditions say', () => {
    const conditions = { visible: false, visible_if: { kind: 'swap' }, required_if: { kind: 'swap' } }
    expect(shown(conditions, { kind: 'new' })).toEqual([])
    expect(shown(conditions, { kind: 'swap' })).toEqual([[true, false]])
    expect(shown({ readonly_if: { kind: 'swap' } }, { kind: 'swap' })).toEqual([[false, true]])
  })

  it('takes from the service what has no condition here, and shows what cannot be decided', () => {
    expect(shown({ visible: false }, {})).toEqual([])
    expect(shown({ required: true }, {})).toEqual([[true, false]])
    expect(shown({ visible: false, visible_if: { day: '$TODAY' } }, { day: 'x' })).toEqual([[false, false]])
  })

  it('no longer requires what only its first value required', () => {
    const conditions = { required: true, required_if: { kind: 'swap' } }
    expect(shown(conditions, { kind: 'new' }, { kind: 'swap' })).toEqual([[false, false]])
    expect(shown(conditions, { kind: 'new' }, { kind: 'new' })).toEqual([[true, false]])
  })
})
