import { expect, test } from 'vitest'
import { createInFlight, type InFlight } from '../../../../../infra/local/runtime/in-flight.ts'

interface Named extends InFlight {
  readonly name: string
}

const named = (name: string): Named => ({ name, index: -1 })

test('holds the items that were added and not deleted', () => {
  const underWay = createInFlight<Named>()
  const [a, b, c] = [named('a'), named('b'), named('c')]
  for (const item of [a, b, c]) underWay.add(item)
  underWay.delete(a)
  expect(new Set(underWay.all())).toEqual(new Set([b, c]))
  underWay.delete(c)
  underWay.delete(b)
  expect(underWay.all()).toEqual([])
})

test('deleting an item twice, or one that was never added, deletes no other', () => {
  const underWay = createInFlight<Named>()
  const [a, b] = [named('a'), named('b')]
  underWay.delete(a)
  underWay.add(a)
  underWay.delete(a)
  underWay.add(b)
  underWay.delete(a)
  expect(underWay.all()).toEqual([b])
})

test('a returned list does not change', () => {
  const underWay = createInFlight<Named>()
  const items = [named('a'), named('b'), named('c')]
  for (const item of items) underWay.add(item)
  for (const item of underWay.all()) underWay.delete(item)
  expect(underWay.all()).toEqual([])
})
