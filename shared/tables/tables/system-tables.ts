import type { ConfigRow } from '../../platform/store/config.ts'
import type { Field } from './schema.ts'
import type { StoredTable } from './table.ts'

/** Smaller ids are reserved for built-in tables. */
export const firstCustomTableId = 101

const builtIn = (id: number, label: string, table_fields: readonly Field[], title_field = 'name'): StoredTable => ({
  id,
  label,
  title_field,
  table_fields,
  automations: [],
  retired: [],
})

/** The tables that every tenant has until an administrator stores a changed document. */
const systemTables: ReadonlyMap<string, ConfigRow> = new Map(
  [
    {
      name: 'sys_companies',
      doc: builtIn(1, 'Companies', [
        { name: 'name', label: 'Name', type: 'text', required: true, max_length: 200, indexed: true },
        { name: 'email', label: 'E-mail', type: 'text', max_length: 254 },
        { name: 'phone', label: 'Phone', type: 'text', max_length: 50 },
        { name: 'website', label: 'Website', type: 'text', max_length: 500 },
        { name: 'address', label: 'Address', type: 'textarea' },
        { name: 'notes', label: 'Notes', type: 'textarea' },
      ]),
    },
    {
      name: 'sys_org_units',
      doc: builtIn(2, 'Organisational units', [
        { name: 'name', label: 'Name', type: 'text', required: true, max_length: 200, indexed: true },
        { name: 'parent_id', label: 'Parent', type: 'org_unit' },
        { name: 'manager_id', label: 'Manager', type: 'user' },
        { name: 'description', label: 'Description', type: 'textarea' },
      ]),
    },
    {
      name: 'sys_articles',
      doc: builtIn(
        3,
        'Articles',
        [
          { name: 'title', label: 'Title', type: 'text', required: true, max_length: 200 },
          { name: 'body', label: 'Text', type: 'textarea', searchable: true },
          { name: 'category', label: 'Category', type: 'text', max_length: 100 },
          {
            name: 'state',
            label: 'State',
            type: 'state_model',
            states: [
              { slug: 'draft', label: 'Draft', is_initial: true },
              { slug: 'published', label: 'Published', is_initial: true },
            ],
            transitions: [
              { from: 'draft', to: 'published', label: 'Publish' },
              { from: 'published', to: 'draft', label: 'Withdraw' },
            ],
          },
          {
            name: 'roles',
            label: 'Roles',
            description: 'Names of the roles whose members read it in the portal; everybody when empty.',
            type: 'json',
          },
        ],
        'title',
      ),
    },
    {
      name: 'sys_ratings',
      doc: builtIn(
        4,
        'Ratings',
        [
          { name: 'title', label: 'Request', type: 'text', required: true, max_length: 500 },
          { name: 'stars', label: 'Stars', type: 'integer', required: true, min: 1, max: 5 },
          { name: 'comment', label: 'Comment', type: 'textarea' },
          { name: 'item', label: 'Item', type: 'text', max_length: 200 },
          { name: 'request_id', label: 'Request number', type: 'integer' },
          { name: 'model', label: 'Table', type: 'text', max_length: 100 },
          { name: 'record_id', label: 'Record', type: 'integer' },
        ],
        'title',
      ),
    },
  ].map((row) => [row.name, { ...row, version: 1 }]),
)

/** The built-in document of a table; undefined when the table is not built in. */
export const systemTable = (name: string): ConfigRow | undefined => systemTables.get(name)
export const allSystemTables = (): readonly ConfigRow[] => [...systemTables.values()]
