import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { apiDocument } from '../../../../../functions/api/api-docs/api-document.ts'
import { sizeOfText } from '../../../../../shared/platform/http/routing/answer-size.ts'
import { typedDocument } from '../../../../../shared/tables/record-types/typed-document.ts'
import type { Field } from '../../../../../shared/tables/tables/schema.ts'
import { typedSampleTables } from '../../../../make/builders/records/typed-sample-tables.ts'
import { answerRules } from '../../../../make/oracles/answer-rules.ts'
import { processorMs } from '../../../../make/processor-time.ts'

const generic = apiDocument({ version: '1.2.3', serverUrl: 'http://localhost:3000' })
const administrator = { isAdministrator: true, permissions: [], grants: [] }
const document = typedDocument(generic, typedSampleTables, administrator)
const { schemas } = document.components
const members = (name: string) => Object.keys(schemas[name]?.properties ?? {})
const holder = (permissions: string[], fields = {}) => ({
  isAdministrator: false,
  permissions,
  grants: [{ permissions, rules: [], fields }],
})
const tableOf = (name: string, table_fields: readonly Field[]) => ({ name, label: name, version: 1, table_fields })

describe("the document of a caller's tables", () => {
  it('is valid against the published schema of OpenAPI 3.1', async () => {
    expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true })
  })

  it('has operations of its own for each table in place of the generic ones', () => {
    expect(Object.keys(document.paths).filter((path) => /\/notes(\/|$)/.test(path))).toEqual([
      '/api/e/notes',
      '/api/e/notes/list-server',
      '/api/e/notes/import',
      '/api/e/notes/import-file',
      '/api/e/notes/import-file/preview',
      '/api/e/notes/export',
      '/api/e/notes/form',
      '/api/e/notes/revision',
      '/api/e/notes/bulk',
      '/api/e/notes/{id}',
      '/api/e/notes/{id}/restore',
      '/api/sys/history/notes/{id}',
    ])
    expect(document.paths['/api/e/{model}']).toBeUndefined()
    expect(document.paths['/api/e/{model}/{id}/comments']).toBeDefined()
    expect(document.paths['/api/e/notes']?.post).toMatchObject({ operationId: 'createNotesRecord', tags: ['notes'] })
  })

  it('refers to nothing that it does not have, and has nothing that it does not refer to', () => {
    const text = JSON.stringify(document)
    const used = new Set([...text.matchAll(/"#\/components\/(\w+\/[^"]+)"/g)].map(([, name]) => name))
    const { schemas: known, responses, headers, parameters = {} } = document.components
    const has = Object.entries({ schemas: known, responses, headers, parameters }).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `${kind}/${name}`),
    )
    expect([...used].filter((name) => !has.includes(name as string))).toEqual([])
    expect(has.filter((name) => name.startsWith('schemas/') && !used.has(name))).toEqual([])
  })

  it('has operation ids that are unique', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([])
  })

  it('names schemas after their table, and otherwise where the name is taken', () => {
    expect(schemas.Notes?.properties?.data).toEqual({ $ref: '#/components/schemas/NotesData' })
    expect(generic.components.schemas.Field).toEqual(schemas.Field)
    expect(schemas.FieldRecords?.description).toBe('A record of Field.')
  })

  it('tells apart names that read alike', () => {
    const alike = ['a1', 'a_1', 'a__1'].map((name) => tableOf(name, [{ name: 'title', type: 'text' }]))
    const made = typedDocument(generic, alike, administrator).components.schemas
    expect(['A1', 'A1Records', 'A1Records2'].map((name) => made[name]?.description)).toEqual([
      'A record of a1.',
      'A record of a_1.',
      'A record of a__1.',
    ])
  })

  it('is the same, byte for byte, each time it is written', () => {
    expect(JSON.stringify(typedDocument(generic, typedSampleTables, administrator))).toBe(JSON.stringify(document))
  })
})

describe('the schemas of a table', () => {
  const { schemaProblem } = answerRules(document)
  const problem = (name: string, value: unknown) => schemaProblem({ $ref: `#/components/schemas/${name}` }, value)

  it.each<[string, object]>([
    ['a new record with its required field', { code: 'A1' }],
    ['values of all types', { code: 'A1', a_date: '2026-11-20', a_point: { lat: 1, lng: 2 }, a_boolean: true }],
    ['null for what is not required', { code: 'A1', a_text: null, a_state_model: null, a_file: null }],
    ['one file or several', { code: 'A1', a_file: 'files/1', files: ['files/1', 'files/2'] }],
  ])('accept %s', (_, body) => {
    expect(problem('NotesInput', body)).toBeUndefined()
  })

  it.each<[string, object, string]>([
    ['a missing required field', {}, "required property 'code'"],
    ['an empty required text', { code: '' }, 'fewer than 1 characters'],
    ['a text that is too long', { code: 'A'.repeat(21) }, 'more than 20 characters'],
    ['a number out of its limits', { code: 'A1', level: 6 }, '<= 5'],
    ['an unknown slug', { code: 'A1', a_value_list: 'old' }, 'a_value_list'],
    ['an unknown field', { code: 'A1', kode: 1 }, 'additional properties'],
    ['a number as text', { code: 'A1', level: '3' }, 'integer'],
  ])('refuse %s', (_, body, message) => {
    expect(problem('NotesInput', body)).toContain(message)
  })

  it('let a change leave everything out and clear all but the state', () => {
    expect(problem('NotesChanges', {})).toBeUndefined()
    expect(problem('NotesChanges', { code: null })).toBeUndefined()
    expect(problem('NotesChanges', { a_state_model: null })).toContain('a_state_model')
  })

  it.each<[string, object]>([
    ['tests and short forms', { code: { _starts_with: 'A' }, level: 3, a_value_list: ['new', 'closed'], a_text: null }],
    ['groups', { _or: [{ level: { _gte: 3 } }, { _not: { code: 'A1' } }] }],
    ['variables', { a_user: '$CURRENT_USER', a_datetime: { _gt: '$NOW(-7 days)' }, a_org_unit: '$CURRENT_ORG_UNITS' }],
    ['fields of referenced records', { a_model_list: { code: 'A1' }, created_by: { name: 'Ada' } }],
  ])('accept filters with %s', (_, filter) => {
    expect(problem('NotesFilter', filter)).toBeUndefined()
  })

  it.each<[string, object]>([
    ['a test that the type does not have', { level: { _contains: '3' } }],
    ['a value of another type', { level: 'high' }],
    ['an unknown slug', { a_value_list: 'old' }],
  ])('refuse filters with %s', (_, filter) => {
    expect(problem('NotesFilter', filter)).toMatch(/./)
  })

  it('list what to sort by and what to expand', () => {
    expect(schemas.NotesSort?.enum).toEqual(expect.arrayContaining(['code', '-code', '-created_at', 'a_user.name']))
    expect(schemas.NotesAReference?.enum).toEqual(['created_by', 'updated_by', 'note'])
    expect(schemas.NotesAExpanded?.properties?.note?.anyOf?.[0]).toEqual({ $ref: '#/components/schemas/NotesRow' })
  })

  it('tell rows of a list from groups', () => {
    const head = { id: 1, data: {} }
    const page = (row: object) => ({ ...envelope, data: [row] })
    expect(problem('NotesRows', page(head))).toBeUndefined()
    expect(problem('NotesRows', page({ group: { level: 3 }, count: 2 }))).toBeUndefined()
    expect(problem('NotesRows', page({ neither: 1 }))).toContain('oneOf')
    expect(problem('NotesRows', { ...envelope, data: [] })).toBeUndefined()
  })
})

const envelope = {
  success: true,
  message: 'OK',
  meta: { current_page: 1, from: 1, to: 1, per_page: 25, last_page: 1, total: 1, next_cursor: null },
  links: { first: 'http://a', last: 'http://a', prev: null, next: null },
}

describe('what a caller may do', () => {
  it('limits the operations of a table', () => {
    const { paths } = typedDocument(generic, typedSampleTables, holder(['notes.read']))
    expect(Object.keys(paths['/api/e/notes/{id}'] ?? {})).toEqual(['get'])
    expect(Object.keys(paths['/api/e/notes'] ?? {})).toEqual(['get'])
    expect(paths['/api/e/notes/import']).toBeUndefined()
    expect(paths['/api/e/notes_a']).toBeUndefined()
  })

  it('limits its fields, in answers, filters, sorts and bodies, and through references', () => {
    const rules = { notes: { read: ['code', 'level'], write: ['code'] } }
    const made = typedDocument(generic, typedSampleTables, holder(['*'], rules)).components.schemas
    const of = (name: string) => Object.keys(made[name]?.properties ?? {})
    expect(of('NotesData')).toEqual(['code', 'level'])
    expect(of('NotesInput')).toEqual(['code'])
    expect(of('NotesChanges')).toEqual(['code'])
    expect(of('NotesTests')).not.toContain('a_text')
    expect(made.NotesSort?.enum).not.toContain('a_text')
    expect(made.NotesASort?.enum).toContain('note.code')
    expect(made.NotesASort?.enum).not.toContain('note.a_text')
    expect(JSON.stringify(made)).not.toContain('a_textarea')
    expect(members('NotesData')).toContain('a_textarea')
  })

  it('leaves a reference to a table that may not be read as an id', () => {
    const made = typedDocument(generic, typedSampleTables, holder(['notes_a.read'])).components.schemas
    expect(made.NotesATests?.properties?.note).toEqual({ $ref: '#/components/schemas/IdFilter' })
    expect(made.NotesAReference?.enum).toEqual(['created_by', 'updated_by'])
    expect(made.NotesTests).toBeUndefined()
  })

  it('is nothing for somebody without permissions: the operations on records are gone', () => {
    const { paths } = typedDocument(generic, typedSampleTables, holder([]))
    expect(Object.keys(paths).filter((path) => /^\/api\/e\/[^/]+$/.test(path))).toEqual([])
  })
})

describe('tables beyond the size of an answer', () => {
  const wide = (index: number) =>
    tableOf(
      `table_with_a_rather_long_name_${String(index).padStart(3, '0')}`,
      Array.from({ length: 200 }, (_, number): Field =>
        number % 10 === 0
          ? { name: `reference_${number}`, type: 'model_list', target_table: 'table_with_a_rather_long_name_199' }
          : { name: `field_with_a_rather_long_name_${number}`, label: `Field ${number}`, type: 'text' },
      ),
    )
  const many = Array.from({ length: 200 }, (_, index) => wide(index))

  it('are left out by name, and the generic operations stay', async () => {
    let made!: ReturnType<typeof typedDocument>
    const ms = await processorMs(() => (made = typedDocument(generic, many, administrator)))
    const left = made.info['x-left-out-tables'] ?? []
    expect(sizeOfText(JSON.stringify(made)).carried).toBeLessThan(6_291_556 - 16 * 1024)
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThan(190)
    expect(made.info.description).toContain(`\`${left[0]}\``)
    expect(made.paths['/api/e/{model}']).toBeDefined()
    expect(made.paths[`/api/e/${left[0]}`]).toBeUndefined()
    expect(JSON.stringify(made.components.schemas)).not.toContain('TableWithARatherLongName199')
    expect(ms).toBeLessThan(40_000)
  })

  it('are there when they are asked for', () => {
    const asked = 'table_with_a_rather_long_name_199'
    const made = typedDocument(generic, many, administrator, new Set([asked]))
    expect(made.paths[`/api/e/${asked}`]).toBeDefined()
    expect(made.info['x-left-out-tables']).toBeUndefined()
    expect(made.paths['/api/e/{model}']).toBeDefined()
  })
})
