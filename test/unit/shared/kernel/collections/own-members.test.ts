import { expect, it } from 'vitest'
import { byName, own } from '../../../../../shared/kernel/collections/own-members.ts'
import { inheritedNames } from '../../../../make/loads/hostile-values.ts'

it.each(inheritedNames)('%s is a member only where somebody put it', (name) => {
  expect(own({ a: 1 }, name)).toBeUndefined()
  expect(own(JSON.parse(`{"${name}":1}`) as Record<string, number>, name)).toBe(1)
  const collected = byName<number>()
  expect(collected[name]).toBeUndefined()
  collected[name] = (collected[name] ?? 0) + 1
  expect(Object.entries(collected)).toEqual([[name, 1]])
  expect(JSON.stringify(collected)).toBe(`{"${name}":1}`)
})

it('nothing has no members', () => {
  expect([own(null, 'a'), own(undefined, 'a')]).toEqual([undefined, undefined])
})
