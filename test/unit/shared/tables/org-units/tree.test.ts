import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parentProblem, treeOf } from '../../../../../shared/tables/org-units/tree.ts'

const tree = (parents: Readonly<Record<number, number>>) =>
  treeOf(new Map(Object.entries(parents).map(([unit, parent]) => [Number(unit), parent])))
/** 1 above 2 above 3, and so on. */
const chain = (levels: number) =>
  tree(Object.fromEntries(Array.from({ length: levels - 1 }, (_, index) => [index + 2, index + 1])))
const sorted = (units: readonly number[]) => [...units].sort((a, b) => a - b)

describe('units with all units below them', () => {
  const company = tree({ 2: 1, 3: 1, 4: 2, 5: 4, 7: 6 })
  it.each([
    [[1], [1, 2, 3, 4, 5]],
    [[2], [2, 4, 5]],
    [[5], [5]],
    [
      [2, 4, 7],
      [2, 4, 5, 7],
    ],
    [[99], [99]],
    [[], []],
  ])('of %j are %j', (units, all) => expect(sorted(company.withDescendants(units))).toEqual(all))

  it('end in a circle, which older data may have', () =>
    expect(sorted(tree({ 1: 2, 2: 1, 3: 2 }).withDescendants([1]))).toEqual([1, 2, 3]))
})

describe('a new parent', () => {
  const circle = 'The parent_id may not be the unit itself or a unit below it.'
  const tooDeep = 'The parent_id is too deep: there may be 20 levels of units.'

  it.each<[string, ReturnType<typeof tree>, number | undefined, number, string | undefined]>([
    ['another unit', tree({}), 1, 2, undefined],
    ['the unit itself', tree({}), 1, 1, circle],
    ['a child', tree({ 2: 1 }), 1, 2, circle],
    ['a unit far below', chain(10), 3, 9, circle],
    ['a sibling', tree({ 2: 1, 3: 1 }), 2, 3, undefined],
    ['the present parent', tree({ 2: 1 }), 2, 1, undefined],
    ['of a new unit, at level 19', chain(19), undefined, 19, undefined],
    ['of a new unit, at level 20', chain(20), undefined, 20, tooDeep],
    [
      'of a unit with one level below it, at level 18',
      treeOf(new Map([...chain(18).parents, [31, 30]])),
      30,
      18,
      undefined,
    ],
    [
      'of a unit with one level below it, at level 19',
      treeOf(new Map([...chain(19).parents, [31, 30]])),
      30,
      19,
      tooDeep,
    ],
    ['in a circle of older data', tree({ 1: 2, 2: 1 }), 3, 1, undefined],
    ['a unit of a circle for another of it', tree({ 1: 2, 2: 1 }), 1, 2, circle],
  ])('is refused, or not: %s', (_, known, unit, parent, problem) =>
    expect(parentProblem(known, unit, parent)).toBe(problem),
  )

  it('never closes a circle when it passes', () => {
    const moves = fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(moves, (tried) => {
        const parents = new Map<number, number>()
        for (const [unit, parent] of tried)
          if (parentProblem(treeOf(parents), unit, parent) === undefined) parents.set(unit, parent)
        for (const unit of parents.keys()) {
          let [at, steps]: [number | undefined, number] = [unit, 0]
          for (; at !== undefined; at = parents.get(at)) expect((steps += 1)).toBeLessThanOrEqual(20)
        }
      }),
    )
  })
})
