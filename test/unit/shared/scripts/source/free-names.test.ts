import { describe, expect, it } from 'vitest'
import { freeNames } from '../../../../../shared/scripts/source/free-names.ts'

describe('the names that a script does not define', () => {
  it.each([
    ['return amount > limit.max', ['amount', 'limit']],
    ['const a = 1; let { b, c: [d] } = e; return a + b + d', ['e']],
    ['for (const one of list) one.name = { name: other, short }', ['list', 'other', 'short']],
    ['function f(x, ...rest) { return x + y } try { f() } catch (problem) { problem }', ['y']],
    ['total = 5; outer: for (;;) break outer; return total', []],
    ['class A { b = c; d() { return $api.find(e) } }', ['c', '$api', 'e']],
    ['not a script', []],
  ])('%s: %j', (script, names) => expect(freeNames(script)).toEqual(names))
})
