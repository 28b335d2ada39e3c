import { describe, expect, it } from 'vitest'
import type { Row } from '../../../web/api/records.ts'
import type { Table } from '../../../web/api/tables.ts'
import { valueOf } from '../../../web/fields/field-value.tsx'
import { columnsOf } from '../../../web/queue/columns.ts'

describe('the columns of a list', () => {
  const table = {
    name: 'requests',
    title_field: 'title',
    table_fields: [
      { name: 'title', type: 'text' },
      { name: 'client_id', type: 'model_list', target_table: 'clients' },
    ],
  } as unknown as Table

  it('may be of the conversation, and of what a record refers to', () => {
    const columns = columnsOf(table, ['title', 'conversation.awaits', 'client_id.name', 'conversation.last_at'])
    expect(columns.map(({ name }) => name)).toEqual([
      'title',
      'conversation.awaits',
      'client_id',
      'conversation.last_at',
    ])
    const row = { id: 1, data: { title: 'A' }, conversation: { awaits: 'team' } } as unknown as Row
    expect(columns.map((field) => valueOf(row, field))).toEqual(['A', 'team', undefined, undefined])
    expect(valueOf({ id: 2, data: {} }, { name: 'conversation.awaits' })).toBeUndefined()
  })
})
