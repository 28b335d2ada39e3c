import { describe, expect, it } from 'vitest'
import { compileExpression, expandCalls } from '../../../../../shared/tables/formulas/compile-expression.ts'

describe('functions that Camunda adds to FEEL', () => {
  it.each([
    ['is defined(a)', { a: 0 }, true],
    ['is defined(a)', {}, false],
    ['is  defined(a.b) or not(is defined(c))', { a: { b: null }, c: 1 }, false],
    ['is defined(is defined(a))', {}, true],
    ['is defined(null)', {}, false],
    ['if is defined(a) then a else "x"', {}, 'x'],
    ['cycle(duration("PT1H"))', {}, 'R/PT1H'],
    ['cycle(3, duration("PT90M"))', {}, 'R3/PT1H30M'],
    ['cycle(times, pause)', { times: 2, pause: 'PT5M' }, 'R2/PT5M'],
  ])('%s of %j is %j', (source, scope, value) => {
    const { problems, evaluate } = compileExpression(source)
    expect([problems, evaluate(scope)]).toEqual([[], value])
  })

  it.each(['is defined()', 'cycle(1, 2, 3)', '"is defined(a)"', 'recycle(a)', 'is defined(a'])('%s stays', (source) =>
    expect(expandCalls(source)).toBe(source),
  )
})
