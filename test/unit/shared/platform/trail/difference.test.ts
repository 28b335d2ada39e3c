import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differences } from '../../../../../shared/platform/trail/difference.ts'

describe('the differences of two documents', () => {
  it.each<[string, unknown, unknown, string[]]>([
    [
      'a changed setting of a field',
      { table_fields: [{ name: 'n', max: 5 }] },
      { table_fields: [{ name: 'n', max: 9 }] },
      ['table_fields.n.max: 5 → 9'],
    ],
    [
      'a field in front of the others',
      { f: [{ name: 'b' }] },
      { f: [{ name: 'a' }, { name: 'b' }] },
      ['f.a: added {"name":"a"}'],
    ],
    ['a field that goes', { f: [{ name: 'a' }, { name: 'b' }] }, { f: [{ name: 'b' }] }, ['f.a: removed {"name":"a"}']],
    [
      'another order',
      { f: [{ name: 'a' }, { name: 'b' }] },
      { f: [{ name: 'b' }, { name: 'a' }] },
      ['f: order a, b → b, a'],
    ],
    ['an option', { o: [{ slug: 'x', label: 'X' }] }, { o: [{ slug: 'x', label: 'Y' }] }, ['o.x.label: "X" → "Y"']],
    [
      'a transition',
      { t: [{ from: 'a', to: 'b' }] },
      { t: [{ from: 'a', to: 'b', roles: ['r'] }] },
      ['t.a to b.roles: added ["r"]'],
    ],
    [
      'a hook',
      { a: [{ kind: 'before_create', name: 'x', script: '1' }] },
      { a: [{ kind: 'before_create', name: 'x', script: '2' }] },
      ['a.before_create x.script: "1" → "2"'],
    ],
    ['a list of plain values', { p: ['a'] }, { p: ['a', 'b'] }, ['p: ["a"] → ["a","b"]']],
    ['a long value, cut', { s: '' }, { s: 'x'.repeat(500) }, [`s: "" → "${'x'.repeat(119)}…`]],
  ])('list %s', (_what, before, after, lines) => expect(differences(before, after)).toEqual(lines))

  it('are empty for equal documents and for no others', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(differences(one, structuredClone(one))).toEqual([])
        expect(differences(one, other).length > 0).toBe(
          JSON.stringify(one) !== JSON.stringify(other) && !Object.is(one, other) && differs(one, other),
        )
      }),
    )
  })
})

/** Key order and the sign of zero say nothing in JSON. */
const differs = (one: unknown, other: unknown): boolean => sorted(one) !== sorted(other)
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : Object.is(member, -0)
        ? '-0'
        : member,
  )
