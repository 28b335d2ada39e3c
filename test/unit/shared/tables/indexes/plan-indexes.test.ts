import { describe, expect, it } from 'vitest'
import { planIndexes } from '../../../../../shared/tables/indexes/plan-indexes.ts'
import type { Field } from '../../../../../shared/tables/schema.ts'
import { tableWith } from '../../../../make/builders/indexed-records.ts'

describe('a change of a table', () => {
  const title: Field = { name: 'title', type: 'text' }
  const flag: Field = { name: 'flag', type: 'boolean' }
  const code: Field = { name: 'code', type: 'text' }
  const before = tableWith([title, flag, code])
  const plan = (table_fields: Field[], isEmpty = false, title_field: string | null = 'title', from = before) =>
    planIndexes(from, { table_fields, title_field }, 2, isEmpty)

  it.each<[string, Field[], boolean]>([
    ['labels', [{ ...title, label: 'Title' }, flag, code], false],
    ['a limit', [{ ...title, max_length: 5 }, flag, code], false],
    ['the order', [code, title, flag], false],
    ['an index', [{ ...title, indexed: true }, flag, code], true],
    ['an index that is turned off', [title, { ...flag, indexed: false }, code], true],
    ['uniqueness', [title, flag, { ...code, unique: true }], true],
    ['searchability', [title, flag, { ...code, searchable: false }], true],
    ['a new indexed field', [title, flag, code, { name: 'at', type: 'date' }], true],
    ['a new field without index or counter', [title, flag, code, { name: 'f', type: 'float' }], false],
    ['a removed field', [title, code], false],
  ])('rebuilds a table with records exactly when it must: %s', (_what, fields, rebuilds) => {
    expect(plan(fields).needsRebuild).toBe(rebuilds)
    expect(plan(fields, true).needsRebuild).toBe(false)
  })

  it('of the title field rebuilds the table, to weight words again', () => {
    expect(plan([title, flag, code], false, 'code').needsRebuild).toBe(true)
  })

  it('counts a new field at once only in an empty table', () => {
    const more: Field = { name: 'more', type: 'boolean' }
    expect(plan([title, flag, code, more]).search_index?.counted).toEqual(['flag'])
    expect(plan([title, flag, code, more], true).search_index?.counted).toEqual(['flag', 'more'])
  })

  it('keys unique guards by the version at which a field became unique', () => {
    expect(plan([title, flag, { ...code, unique: true }])).toMatchObject({
      becoming_unique: ['code'],
      unique_since: { code: 2 },
    })
    expect(plan([title, flag, { ...code, unique: true }], true)).toMatchObject({ unique_since: { code: 2 } })
  })
})
