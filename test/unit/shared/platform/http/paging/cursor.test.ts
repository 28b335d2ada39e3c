import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../../shared/kernel/failures/faults.ts'
import { afterId, cursorCodec, cursorPart } from '../../../../../../shared/platform/http/paging/cursor.ts'

const text = /^[^\0]*$/
const things = cursorCodec('things', { ...afterId, isExact: cursorPart.flag, title: cursorPart.text(text) })
const position = { lastId: 42, seen: 25, isExact: true, title: 'Ä "quoted" \u0001 title' }
const refused = expect.objectContaining({
  code: 'invalid_cursor',
  errors: { cursor: [expect.stringMatching(/^The cursor is not one of /)] },
})
const encoded = (...parts: readonly unknown[]) => Buffer.from(parts.join('\0')).toString('base64url')

function outcomeOf(cursor: string): string {
  try {
    return Object.keys(things.read(cursor)).join()
  } catch (error) {
    return error instanceof Invalid ? 'refused' : String(error)
  }
}

describe('a cursor', () => {
  it('is read back, whatever the position', () => {
    fc.assert(
      fc.property(
        fc.record({
          lastId: fc.integer({ min: 1, max: 999_999_999_999_999 }),
          seen: fc.nat(),
          isExact: fc.boolean(),
          title: fc.string({ unit: 'grapheme' }).filter((one) => text.test(one)),
        }),
        fc.constantFrom(undefined, 'a1b2'),
        (one, query) => {
          expect(things.read(things.write(one, query), query)).toEqual(one)
        },
      ),
      { seed: 5 },
    )
  })

  it('is one parameter of a URL', () => expect(things.write(position, 'a1b2')).toMatch(/^[\w-]+$/))

  it('of another list is refused, even where its positions look alike', () => {
    const others = cursorCodec('others', afterId)
    const same = cursorCodec('same', afterId)
    expect(() => others.read(same.write({ lastId: 1, seen: 1 }))).toThrow(refused)
  })

  it('of another query is refused', () => {
    expect(() => things.read(things.write(position, 'a1b2'), 'c3d4')).toThrow(refused)
    expect(() => things.read(things.write(position))).not.toThrow()
    expect(() => things.read(things.write(position), 'c3d4')).toThrow(refused)
  })

  it.each([
    '',
    'x',
    'nonsense',
    '💥',
    encoded('things', '', 42, 25, 1),
    encoded('things', '', 42, 25, 1, 'title', 'more'),
    encoded('things', '', 0, 25, 1, 'title'),
    encoded('things', '', -1, 25, 1, 'title'),
    encoded('things', '', 1.5, 25, 1, 'title'),
    encoded('things', '', 42, '', 1, 'title'),
    encoded('things', '', 42, 1e21, 1, 'title'),
    encoded('things', '', 42, 25, 'true', 'title'),
  ])('%j is refused', (cursor) => expect(() => things.read(cursor)).toThrow(refused))

  it('that is damaged anywhere is refused, or another position of the same list', () => {
    const cursor = things.write(position)
    const outcomes = Array.from(cursor, (character, at) =>
      outcomeOf(`${cursor.slice(0, at)}${character === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`),
    )
    expect(new Set(outcomes)).toEqual(new Set(['refused', Object.keys(position).join()]))
  })

  it('says in the words of its list that it is none', () => {
    const trail = cursorCodec('trail', afterId, 'The cursor is not one of this trail.')
    expect(() => trail.read('x')).toThrow(
      expect.objectContaining({ errors: { cursor: ['The cursor is not one of this trail.'] } }),
    )
    expect(trail.refusal()).toMatchObject({
      code: 'invalid_cursor',
      errors: { cursor: ['The cursor is not one of this trail.'] },
    })
  })
})
