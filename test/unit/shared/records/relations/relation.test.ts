import { describe, expect, it } from 'vitest'
import { relatedCursors } from '../../../../../shared/records/relations/links/related-cursors.ts'
import { sideOfTable, sidesOf } from '../../../../../shared/records/relations/relation.ts'
import { LinkBody, RelationInput, UnlinkBody } from '../../../../../shared/records/relations/schema.ts'

const uses = { id: 3, name: 'uses', l_table: 'tickets', r_table: 'devices', version: 1 }
const parts = { id: 4, name: 'parts', l_table: 'devices', r_table: 'devices', version: 1 }

describe('the side of a table', () => {
  it.each([
    [uses, 'tickets', undefined, 'l'],
    [uses, 'devices', undefined, 'r'],
    [uses, 'devices', 'l_table', 'r'],
    [parts, 'devices', undefined, 'l'],
    [parts, 'devices', 'l_table', 'l'],
    [parts, 'devices', 'r_table', 'r'],
  ] as const)('of %j for %s at %s is %s', (relation, table, position, side) =>
    expect(sideOfTable(relation, table, position)).toBe(side),
  )

  it('does not exist for a table outside of the relation', () => {
    expect(sidesOf(uses, 'people')).toEqual([])
    expect(() => sideOfTable(uses, 'people', undefined)).toThrow(
      expect.objectContaining({ kind: 'not_found', code: 'relation_not_found' }),
    )
  })
})

describe('a cursor', () => {
  it('is read back', () =>
    expect(relatedCursors.read(relatedCursors.write({ lastId: 42, seen: 25 }))).toEqual({ lastId: 42, seen: 25 }))
  it.each(['', 'x', Buffer.from('[1]').toString('base64url'), Buffer.from('[1,0,-1]').toString('base64url')])(
    'is refused when it is %j',
    (text) =>
      expect(() => relatedCursors.read(text)).toThrow(
        expect.objectContaining({ kind: 'invalid', code: 'invalid_cursor' }),
      ),
  )
})

describe('a body', () => {
  it('to unlink may be missing or empty, but has no member other than ids', () => {
    expect([UnlinkBody.parse(undefined), UnlinkBody.parse({})]).toEqual([undefined, {}])
    expect(UnlinkBody.safeParse({ id: [1] }).success).toBe(false)
    expect(UnlinkBody.safeParse([1]).success).toBe(false)
  })
  it.each([[[0]], [['1']], [[1.5]], [null]])('to link refuses %j', (ids) =>
    expect(LinkBody.safeParse({ ids }).success).toBe(false),
  )
  it.each([' ', 'a\nb', 'x'.repeat(101)])('of a relation refuses the name %j', (name) =>
    expect(RelationInput.safeParse({ name, l_table: 'a', r_table: 'b' }).success).toBe(false),
  )
})
