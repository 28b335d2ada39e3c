import { expect, it } from 'vitest'
import * as z from 'zod'
import { allRoutes } from '../../../../../../functions/api/api-docs/all-routes.ts'
import { type NamePositions, namePositions } from '../../../../../../shared/platform/http/table-names/name-positions.ts'
import { withStoredNames, withTableNames } from '../../../../../../shared/platform/http/table-names/translate-names.ts'

const tenant = { renamedTables: { names: { requests: 'tickets' }, former: {} } }
const schema = z.object({
  model: z.string(),
  name: z.string(),
  tables: z.array(z.string()).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  permissions: z.array(z.string()).optional(),
  fields: z.record(z.string(), z.object({ read: z.array(z.string()) })).optional(),
  either: z
    .union([z.object({ table: z.string() }), z.object({ source: z.object({ model: z.string().nullable() }) })])
    .optional(),
})

it('translates what names tables, and nothing else', () => {
  const answer = {
    model: 'requests',
    name: 'requests',
    tables: ['requests', 'clients'],
    data: { model: 'requests', table: 'requests' },
    permissions: ['requests.read', '*.read', '*', 'requests_old.read'],
    fields: { requests: { read: ['requests'] } },
    either: { source: { model: 'requests' } },
  }
  const shown = withTableNames(tenant, schema, answer)
  expect(shown).toEqual({
    ...answer,
    model: 'tickets',
    tables: ['tickets', 'clients'],
    permissions: ['tickets.read', '*.read', '*', 'requests_old.read'],
    fields: { tickets: { read: ['requests'] } },
    either: { source: { model: 'tickets' } },
  })
  expect(withStoredNames(tenant, schema, shown)).toEqual(answer)
  expect(withTableNames({}, schema, answer)).toBe(answer)
})

it('finds in every route each place that names a table', () => {
  const found = new Set<string>()
  for (const route of allRoutes)
    for (const part of ['query', 'body', 'answer', 'accepted'] as const) {
      const positions = route[part] && namePositions(route[part])
      if (positions) for (const path of pathsIn(positions)) found.add(`${part}${path}`)
    }
  expect([...found].toSorted()).toMatchInlineSnapshot(`
    [
      "accepted.created (path)",
      "answer.FOLLOW_TABLES (name)",
      "answer.cancelled_processes[].model (name)",
      "answer.changed (path)",
      "answer.changes[].table (name)",
      "answer.created (path)",
      "answer.data[].data.incident.model (name)",
      "answer.data[].data.incident.table (name)",
      "answer.data[].data.incident.target_table (name)",
      "answer.data[].data.model (name)",
      "answer.data[].data.records[].model (name)",
      "answer.data[].data.records[].table (name)",
      "answer.data[].data.records[].target_table (name)",
      "answer.data[].data.reply_to.model (name)",
      "answer.data[].data.reply_to.table (name)",
      "answer.data[].data.reply_to.target_table (name)",
      "answer.data[].data.source.model (name)",
      "answer.data[].data.source.table (name)",
      "answer.data[].data.source.target_table (name)",
      "answer.data[].data.task.model (name)",
      "answer.data[].data.task.table (name)",
      "answer.data[].data.task.target_table (name)",
      "answer.differences{} (keys: path)",
      "answer.errors[].model (name)",
      "answer.fields[].settings.model (name)",
      "answer.fields[].settings.table (name)",
      "answer.fields[].settings.target_table (name)",
      "answer.fields{} (keys: name)",
      "answer.id (head)",
      "answer.import_mappings[].model (name)",
      "answer.incidents[].model (name)",
      "answer.incoming_actions[].target_model (name)",
      "answer.kept[].model (name)",
      "answer.l_table (name)",
      "answer.macros[].model (name)",
      "answer.meta.model (name)",
      "answer.meta.script.sent[].model (name)",
      "answer.meta.script.sent[].table (name)",
      "answer.meta.script.sent[].target_table (name)",
      "answer.meta.script.written[].model (name)",
      "answer.meta.script.written[].table (name)",
      "answer.meta.script.written[].target_table (name)",
      "answer.model (name)",
      "answer.model_class (name)",
      "answer.name (name)",
      "answer.permissions (head)",
      "answer.portal_items[].model (name)",
      "answer.processes[].table (name)",
      "answer.r_table (name)",
      "answer.records[].model (name)",
      "answer.relations[].l_table (name)",
      "answer.relations[].r_table (name)",
      "answer.reply_to.model (name)",
      "answer.returned[].model (name)",
      "answer.roles[].fields{} (keys: name)",
      "answer.roles[].permissions (head)",
      "answer.roles[].rules[].table (name)",
      "answer.rules[].table (name)",
      "answer.sent[].model (name)",
      "answer.sent[].table (name)",
      "answer.sent[].target_table (name)",
      "answer.snippets[].model (name)",
      "answer.source.model (name)",
      "answer.subscriptions[].table (name)",
      "answer.table (name)",
      "answer.table_fields[].table (name)",
      "answer.table_fields[].target_table (name)",
      "answer.tables (name)",
      "answer.tables[].name (name)",
      "answer.tables[].table_fields[].table (name)",
      "answer.tables[].table_fields[].target_table (name)",
      "answer.target_model (name)",
      "answer.views[].name (head)",
      "answer.written[].model (name)",
      "answer.written[].table (name)",
      "answer.written[].target_table (name)",
      "answer[].model (name)",
      "body.FOLLOW_TABLES (name)",
      "body.fields{} (keys: name)",
      "body.import_mappings[].model (name)",
      "body.incoming_actions[].target_model (name)",
      "body.l_table (name)",
      "body.macros[].model (name)",
      "body.model (name)",
      "body.name (name)",
      "body.permissions (head)",
      "body.portal_items[].model (name)",
      "body.processes[].table (name)",
      "body.r_table (name)",
      "body.relations[].l_table (name)",
      "body.relations[].r_table (name)",
      "body.roles[].fields{} (keys: name)",
      "body.roles[].permissions (head)",
      "body.roles[].rules[].table (name)",
      "body.rules[].table (name)",
      "body.snippets[].model (name)",
      "body.subscriptions[].table (name)",
      "body.table (name)",
      "body.table_fields[].table (name)",
      "body.table_fields[].target_table (name)",
      "body.tables (name)",
      "body.tables[].name (name)",
      "body.tables[].table_fields[].table (name)",
      "body.tables[].table_fields[].target_table (name)",
      "body.target_model (name)",
      "body.views[].name (head)",
      "query.model (name)",
      "query.table (name)",
      "query.tables (name)",
    ]
  `)
})

function pathsIn({ naming, members, items, values, keys }: NamePositions): string[] {
  return [
    ...(naming ? [` (${naming})`] : []),
    ...(keys ? [`{} (keys: ${keys})`] : []),
    ...[...(members ?? [])].flatMap(([member, own]) => pathsIn(own).map((path) => `.${member}${path}`)),
    ...(items ? pathsIn(items).map((path) => `[]${path}`) : []),
    ...(values ? pathsIn(values).map((path) => `{}${path}`) : []),
  ]
}
