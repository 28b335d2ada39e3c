import { categories, channels, regions, states } from './request-record.ts'

const options = (slugs: readonly string[]) => slugs.map((slug) => ({ slug }))

export const clientsTable = {
  name: 'clients',
  table_fields: [{ name: 'name', type: 'text', required: true, indexed: true, searchable: true }],
}

/** A table that the change feed serves beside the measured one. */
export const notesTable = { name: 'notes', table_fields: [{ name: 'text', type: 'text' }] }

/** The measured table: twelve fields that can be filtered, and a body. */
export const requestsTable = (name: string) => ({
  name,
  title_field: 'title',
  table_fields: [
    { name: 'title', type: 'text', required: true, searchable: true, indexed: true },
    { name: 'body', type: 'textarea' },
    { name: 'solution', type: 'textarea', searchable: false },
    {
      name: 'status',
      type: 'state_model',
      states: states.map((slug) => ({ slug, is_initial: true })),
      transitions: [],
    },
    { name: 'priority', type: 'integer', default: 3, min: 1, max: 5 },
    { name: 'client_id', type: 'model_list', target_table: 'clients' },
    { name: 'assignee', type: 'user' },
    { name: 'category', type: 'value_list', options: options(categories) },
    { name: 'due', type: 'date' },
    { name: 'amount', type: 'float', indexed: true },
    { name: 'urgent', type: 'boolean' },
    { name: 'channel', type: 'value_list', options: options(channels) },
    { name: 'company_id', type: 'company' },
    { name: 'region', type: 'value_list', options: options(regions) },
  ],
})
