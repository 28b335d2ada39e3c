import { describe, expect, it } from 'vitest'
import { planRebuild } from '../../../../../shared/tables/tables/plan-rebuild.ts'
import type { Field } from '../../../../../shared/tables/tables/schema.ts'
import { tableOf } from '../../../../make/builders/lists/query-records.ts'

describe('a change of a table', () => {
  const title: Field = { name: 'title', type: 'text' }
  const flag: Field = { name: 'flag', type: 'boolean' }
  const code: Field = { name: 'code', type: 'text' }
  const before = tableOf(101, 'requests', [title, flag, code])
  const plan = (table_fields: Field[], isEmpty = false, title_field: string | null = 'title', from = before) =>
    planRebuild(from, { table_fields, title_field }, 2, isEmpty)

  const guards = {}
  const columns = { columns: true }
  it.each<[string, Field[], object | undefined]>([
    ['labels', [{ ...title, label: 'Title' }, flag, code], undefined],
    ['a limit', [{ ...title, max_length: 5 }, flag, code], undefined],
    ['the order', [code, title, flag], undefined],
    ['an index', [{ ...title, indexed: true }, { ...flag, indexed: false }, code], undefined],
    ['uniqueness', [title, flag, { ...code, unique: true }], guards],
    ['searchability', [title, flag, { ...code, searchable: false }], columns],
    ['both', [title, flag, { ...code, unique: true, searchable: false }], columns],
    ['a new field that is not searched', [title, flag, code, { name: 'at', type: 'date' }], undefined],
    ['a new unique field', [title, flag, code, { name: 'n', type: 'integer', unique: true }], undefined],
    ['a removed field that was not searched', [title, code], undefined],
  ])('rebuilds of a table with records only what it must: %s', (_what, fields, parts) => {
    expect(plan(fields).parts).toEqual(parts)
    expect(plan(fields, true).parts).toBeUndefined()
  })

  it('of the title field makes the column index anew, to weight words again', () => {
    expect(plan([title, flag, code], false, 'code').parts).toEqual(columns)
  })

  it('keys unique guards by the version at which a field became unique', () => {
    expect(plan([title, flag, { ...code, unique: true }]).unique).toEqual({
      becoming_unique: ['code'],
      unique_since: { code: 2 },
    })
    expect(plan([title, flag, { ...code, unique: true }], true).unique).toEqual({ unique_since: { code: 2 } })
  })

  it('writes other guards when upper and lower case begin or cease to be the same', () => {
    const exact: Field = { ...code, unique: true }
    const folded: Field = { ...code, unique: true, case_insensitive: true }
    const becoming = { becoming_unique: ['code'], unique_since: { code: 2 } }
    const from = (field: Field) => tableOf(101, 'requests', [title, flag, field])
    expect(plan([title, flag, folded], false, 'title', from(exact))).toEqual({ unique: becoming, parts: guards })
    expect(plan([title, flag, exact], false, 'title', from(folded))).toEqual({ unique: becoming, parts: guards })
    expect(plan([title, flag, folded], false, 'title', from(folded)).parts).toBeUndefined()
  })

  it('that replaces a rebuild takes over what it had to do', () => {
    const unique = { ...code, unique: true }
    const rebuilding = { ...before, rebuilding: { job_id: 4, columns: true as const } }
    expect(plan([title, flag, unique], false, 'title', rebuilding).parts).toEqual(columns)
    expect(plan([title, flag, { ...code, label: 'Code' }], false, 'title', rebuilding).parts).toBeUndefined()
    const becoming = { ...tableOf(101, 'requests', [title, flag, unique]), becoming_unique: ['code'] }
    const ofBecoming = plan([title, flag, { ...unique, searchable: false }], false, 'title', {
      ...becoming,
      rebuilding: { job_id: 4 },
    })
    expect(ofBecoming).toMatchObject({ unique: { becoming_unique: ['code'] }, parts: columns })
  })

  it('starts the rebuild again that a field which is becoming unique has lost', () => {
    const fields = [title, flag, { ...code, unique: true }]
    const becoming = { ...tableOf(101, 'requests', fields), becoming_unique: ['code'] }
    expect(plan(fields, false, 'title', becoming).parts).toEqual(guards)
    expect(plan(fields, false, 'title', { ...becoming, rebuilding: { job_id: 4 } }).parts).toBeUndefined()
  })
})
