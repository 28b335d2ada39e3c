import { describe, expect, it } from 'vitest'
import { fileWrites, pathsOf } from '../../../../../shared/tables/files/claims.ts'
import { tokenOfPath } from '../../../../../shared/tables/files/file-row.ts'
import type { Field } from '../../../../../shared/tables/tables/schema.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'

const tenant = { id: 7 }
const token = (letter: string): string => letter.repeat(24)
const path = (letter: string): string => `files/7/${token(letter)}/x.png`
const photos: Field = { name: 'photos', type: 'file', multiple: true }
const table = {
  name: 'requests',
  table_fields: [photos, { name: 'cover', type: 'image' }, { name: 'title', type: 'text' }] as Field[],
  retired: [{ name: 'old', type: 'file' }] as Field[],
}
const change = (before?: object, after?: object) => {
  const { writes, release } = fileWrites(
    frozenClock(),
    tenant,
    table,
    { id: 42, version: 5 },
    before as Record<string, unknown>,
    after as Record<string, unknown>,
  )
  const claimed = writes.flatMap((one) => ('put' in one && one.put.kind === 'file-claim' ? [one.put] : []))
  return {
    claimed: claimed.map(({ pk }) => pk.slice(-24)),
    dropped: (release?.tokens ?? []) as string[],
    claims: claimed,
    release,
    writes,
  }
}

describe('the files of a write', () => {
  it.each([
    [
      'a new record claims all of its files',
      undefined,
      { photos: [path('a'), path('b')], cover: path('c') },
      ['a', 'b', 'c'],
      [],
    ],
    [
      'an unchanged file is neither claimed nor dropped',
      { photos: [path('a')] },
      { photos: [path('a')], title: 'x' },
      [],
      [],
    ],
    ['a replaced file is dropped for the new one', { cover: path('a') }, { cover: path('b') }, ['b'], ['a']],
    ['a shortened list drops the other files', { photos: [path('a'), path('b')] }, { photos: [path('b')] }, [], ['a']],
    [
      'null drops the files of the field',
      { photos: [path('a')], cover: path('b') },
      { photos: null, cover: path('b') },
      [],
      ['a'],
    ],
    ['a file that only moves between fields stays', { photos: [path('a')] }, { photos: [], cover: path('a') }, [], []],
    [
      'a file in two fields stays while one of them holds it',
      { photos: [path('a')], cover: path('a') },
      { photos: [path('a')], cover: null },
      [],
      [],
    ],
    [
      'a deleted record drops all files, including those of removed fields',
      { photos: [path('a')], old: path('b') },
      undefined,
      [],
      ['a', 'b'],
    ],
    ['a text that looks like a path is no file', undefined, { title: path('a') }, [], []],
  ])('%s', (_, before, after, claimed, dropped) => {
    expect(change(before, after)).toMatchObject({ claimed: claimed.map(token), dropped: dropped.map(token) })
  })

  it('become one row per claim with the version that made it, and one row for all dropped files, due for the sweeper', () => {
    const { claims, release, writes } = change({ photos: [path('a'), path('b')] }, { cover: path('c') })
    expect(writes).toHaveLength(2)
    expect(claims).toEqual([
      {
        pk: `T#7#F#${token('c')}`,
        sk: 'CLAIM#requests#000000000042',
        kind: 'file-claim',
        v: 1,
        model: 'requests',
        id: 42,
        version: 5,
      },
    ])
    expect(release).toMatchObject({
      pk: expect.stringMatching(/^T#7#FR#/),
      version: 5,
      p20: expect.stringMatching(/^DUE#file#\d$/),
      s20: expect.stringMatching(/^2026-11-20T08:01:00/),
    })
  })

  it('are refused when there are more than a transaction holds', () => {
    const many = Array.from({ length: 51 }, (_, index) => `files/7/${String(index).padStart(24, 'x')}/x`)
    expect(() => change(undefined, { photos: many })).toThrow(
      expect.objectContaining({ errors: { photos: ['At most 50 files may be added at once.'] } }),
    )
  })
})

it('pathsOf finds paths in single values and lists', () =>
  expect([...pathsOf(table, { photos: 'a', cover: 'b', old: ['c'], title: 'd' })]).toEqual(['a', 'b', 'c']))

it.each([
  [path('a'), token('a')],
  [`files/8/${token('a')}/x.png`, undefined],
  [`files/7/${token('a')}/x/y.png`, undefined],
  [`files/7/short/x.png`, undefined],
  [`history/7/${token('a')}/x`, undefined],
  [`files/07a/${token('a')}/x`, undefined],
])('the token in the path %s is %s', (given, expected) => expect(tokenOfPath(tenant, given)).toBe(expected))
