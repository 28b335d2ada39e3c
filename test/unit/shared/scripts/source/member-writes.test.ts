import { expect, it } from 'vitest'
import { memberWrites } from '../../../../../shared/scripts/source/member-writes.ts'

it.each([
  ['variables.a = 1; variables["b"] += 2; variables.c++', ['a', 'b', 'c']],
  ['[variables.a, other] = [1, 2]; ({ x: variables.b } = {})', ['a', 'b']],
  ['Object.assign(variables, { a: 1, "b": 2, [c]: 3 })', ['a', 'b']],
  ['const a = variables.b; record.c = 1; Object.assign(record, { d: 1 })', []],
  ['variables. = 1', []],
])('finds the members that a script sets: %s', (script, names) => {
  expect(memberWrites(script, 'variables')).toEqual(names)
})
