import { describe, expect, it } from 'vitest'
import { compileFilters } from '../../../../../infra/local/lambda/filter-pattern.ts'

describe('a filter pattern', () => {
  it.each<[string, object, unknown, boolean]>([
    ['a literal', { a: ['x'] }, { a: 'x' }, true],
    ['a literal of another type', { a: [1] }, { a: '1' }, false],
    ['null', { a: [null] }, { a: null }, true],
    ['any of the alternatives', { a: ['x', 'y'] }, { a: 'y' }, true],
    ['an item of a list in the event', { a: ['x'] }, { a: ['w', 'x'] }, true],
    ['all members', { a: ['x'], b: ['y'] }, { a: 'x', b: 'z' }, false],
    ['nested members', { a: { b: { S: ['x'] } } }, { a: { b: { S: 'x' } } }, true],
    ['nested members of something absent', { a: { b: ['x'] } }, {}, false],
    ['a prefix', { a: [{ prefix: 'T#' }] }, { a: 'T#7' }, true],
    ['a suffix', { a: [{ suffix: '.png' }] }, { a: 'x.jpg' }, false],
    ['any case', { a: [{ 'equals-ignore-case': 'YES' }] }, { a: 'yes' }, true],
    ['existence', { a: [{ exists: true }] }, { a: '' }, true],
    ['existence of an object, which is no leaf', { a: [{ exists: true }] }, { a: {} }, false],
    ['absence', { a: [{ exists: false }] }, {}, true],
    ['absence of something there', { a: [{ exists: false }] }, { a: 1 }, false],
    ['anything but a value', { a: [{ 'anything-but': ['x', 'y'] }] }, { a: 'z' }, true],
    ['anything but a value, which is there', { a: [{ 'anything-but': 'x' }] }, { a: 'x' }, false],
    ['anything but a prefix', { a: [{ 'anything-but': { prefix: 'x' } }] }, { a: 'xy' }, false],
    ['anything but, of something absent', { a: [{ 'anything-but': 'x' }] }, {}, false],
    ['a range', { a: [{ numeric: ['>', 0, '<=', 5] }] }, { a: 5 }, true],
    ['a range that is left', { a: [{ numeric: ['>', 0, '<=', 5] }] }, { a: 6 }, false],
    ['a number in quotes, which is no number', { a: [{ numeric: ['=', 5] }] }, { a: '5' }, false],
    ['either of two members', { $or: [{ a: ['x'] }, { b: ['y'] }] }, { b: 'y' }, true],
    ['a name of the prototype', { constructor: [{ exists: true }] }, {}, false],
  ])('matches %s', (_, pattern, event, expected) => {
    expect(compileFilters([JSON.stringify(pattern)])(event)).toBe(expected)
  })

  it('matches everything when there is none', () => {
    expect(compileFilters([])({})).toBe(true)
  })

  it('matches what any of several patterns matches', () => {
    const matches = compileFilters(['{"a":["x"]}', '{"a":["y"]}'])
    expect([{ a: 'x' }, { a: 'y' }, { a: 'z' }].map(matches)).toEqual([true, true, false])
  })

  it('rejects an unknown matcher', () => {
    expect(() => compileFilters(['{"a":[{"cidr":"10.0.0.0/8"}]}'])).toThrow(
      'The local cloud knows no filter matcher "cidr".',
    )
  })
})
