import { describe, expect, it } from 'vitest'
import { describeChanges, usersIn } from '../../../../../shared/records/history/describe-changes.ts'
import type { Table } from '../../../../../shared/tables/tables/table.ts'

const fields = [
  { name: 'title', label: 'Title', type: 'text' },
  { name: 'note', label: 'Note', type: 'textarea' },
  { name: 'priority', label: 'Priority', type: 'integer' },
  { name: 'is_urgent', label: 'Urgent', type: 'boolean' },
  { name: 'owner_id', label: 'Owner', type: 'user' },
  { name: 'client_id', label: 'Client', type: 'model_list' },
  {
    name: 'source',
    label: 'Source',
    type: 'value_list',
    options: [{ slug: 'mail', label: 'E-mail' }, { slug: 'fax' }],
  },
  { name: 'status', label: 'Status', type: 'state_model', states: [{ slug: 'new', label: 'New' }, { slug: 'closed' }] },
] as unknown as Table['table_fields']
const table = { fieldsByName: new Map(fields.map((field) => [field.name, field])) } as Pick<Table, 'fieldsByName'>
const names = new Map([[3, 'Ada']])

const sentence = (changes: Record<string, readonly [unknown, unknown]>, action = 'update', source?: string): string =>
  describeChanges(
    table,
    {
      action,
      changes: Object.fromEntries(Object.entries(changes).map(([name, [was, is]]) => [name, { old: was, new: is }])),
      ...(source !== undefined && { source }),
    },
    names,
  )

describe('a change as a sentence', () => {
  it.each([
    [{ status: ['new', 'closed'] }, 'Status changed from New to closed'],
    [{ source: ['mail', 'gone'] }, 'Source changed from E-mail to gone'],
    [{ title: ['A\n b', 'C'] }, 'Title changed from "A b" to "C"'],
    [{ title: ['A', 'x'.repeat(81)] }, 'Title changed'],
    [{ title: ['A', null] }, 'Title cleared'],
    [{ title: [null, 'A'] }, 'Title set to "A"'],
    [{ note: [null, 'A'] }, 'Note set'],
    [{ note: ['A', 'B'] }, 'Note changed'],
    [{ priority: [1, 0] }, 'Priority changed from 1 to 0'],
    [{ is_urgent: [false, true] }, 'Urgent changed from no to yes'],
    [{ owner_id: [3, 4] }, 'Owner changed from Ada to user 4'],
    [{ client_id: [3, 4] }, 'Client changed'],
    [{ retired: ['A', 'B'] }, 'retired changed'],
    [{}, 'Record changed'],
    [
      { title: ['A', 'B'], priority: [1, 2], note: ['A', 'B'], client_id: [1, 2], is_urgent: [true, null] },
      'Title changed from "A" to "B", Priority changed from 1 to 2, Note changed and 2 more',
    ],
  ] as const)('tells %j', (changes, expected) => expect(sentence(changes)).toBe(expected))

  it('says what acted for the user', () => {
    expect(sentence({ status: ['new', 'closed'] }, 'update', 'process')).toBe(
      'Status changed from New to closed by a process',
    )
    expect(sentence({}, 'create', 'import')).toBe('Record created by an import')
    expect(sentence({}, 'create', 'restore')).toBe('Record restored')
    expect(sentence({}, 'delete')).toBe('Record deleted')
  })

  it('needs the names of the users in fields of people only', () => {
    const changes = { owner_id: { old: 3, new: null }, client_id: { old: 5, new: 6 } }
    expect(usersIn(table, changes)).toEqual([3])
  })
})
