import type { Caller } from '../../../kernel/principal.ts'
import { type NamesTables, publicTable } from '../../../kernel/table-names.ts'
import type { Config } from '../../../platform/store/config.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { RecordDependencies } from '../../../records/records/dependencies.ts'
import { scriptWarnings } from '../../../scripts/source/script-warnings.ts'
import type { TableAdministration } from '../../../tables/tables/administration/administer-tables.ts'
import { previewRenames } from '../../../tables/tables/renames/preview-renames.ts'
import type { TableChange, TableChangePreview } from '../../../tables/tables/schema.ts'
import { readTable } from '../../../tables/tables/table.ts'
import { renameWarnings } from '../../warnings/rename-warnings.ts'
import { findDangling } from '../apply/find-dangling.ts'
import type { Sections } from '../sections/sections.ts'
import { findBreaks } from './find-breaks.ts'

type NamedBy = TableChangePreview['named_by'][number]

/** The kinds of objects by the section of the configuration that they are in. */
const kinds = {
  roles: ['role', 'ROLE'],
  processes: ['process', 'PROCESS'],
  subscriptions: ['subscription', 'SUBSCRIPTION'],
  views: ['view', 'VIEW'],
  incoming_actions: ['incoming_action', 'INCOMING_ACTION'],
  macros: ['macro', 'MACRO'],
  portal_items: ['portal_item', 'PORTAL_ITEM'],
  snippets: ['snippet', 'SNIPPET'],
  import_mappings: ['import_mapping', 'IMPORT_MAPPING'],
  notification_templates: ['notification_template', 'NOTIFICATION_TEMPLATE'],
  tables: ['table', 'TABLE'],
} as const

/**
 * What a change of a table would do, without doing it: how many records would break each new rule, and what names a field
 * that goes. Throws as the change itself would, but for what records forbid.
 */
export async function previewTable(
  {
    store,
    config,
    administration,
    sections,
    ...records
  }: Pick<RecordDependencies, 'conditions' | 'clock'> & {
    readonly store: Store
    readonly config: Pick<Config, 'listFresh'>
    readonly administration: Pick<TableAdministration, 'preview'>
    readonly sections: Sections
  },
  caller: Caller,
  model: string,
  change: TableChange,
  timeIsUp: () => boolean,
): Promise<TableChangePreview> {
  const { before, was, renames, next, rollups } = await administration.preview(caller, model, change)
  const after = readTable({ ...before, doc: { ...before, table_fields: next.table_fields, retired: [] } })
  const { breaks, isWhole } = await findBreaks({ store, ...records }, caller, before, after, timeIsUp)
  const { label, title_field } = { label: before.label, title_field: before.title_field, ...change }
  const automations = next.automations.map(({ id: _, ...automation }) => ({
    ...automation,
    name: automation.name ?? automation.kind,
    position: automation.position ?? 1,
  }))
  const kept = new Set(next.table_fields.map(({ name }) => name))
  const table = {
    name: model,
    label,
    title_field: title_field && kept.has(title_field) ? title_field : null,
    // What names a renamed field as data follows, so that nothing misses its former name.
    table_fields: [
      ...next.table_fields,
      ...was.table_fields.filter(({ name }) => renames.has(name) && !kept.has(name)),
    ],
    automations,
  }
  const named: NamedBy[] = rollups.map((rollup) => ({
    kind: 'table',
    ...rollup,
    name: publicTable(caller.tenant, rollup.name),
  }))
  named.push(...namedByHooks(was, model, [...kept]))
  for (const { path = '' } of await findDangling(sections, caller, { tables: [table] }, timeIsUp))
    named.push(await objectAt(config, caller, path))
  const renamed = Object.fromEntries([...renames].map(([former, name]) => [name, former]))
  const still = await renameWarnings({ store, config }, caller.tenant, {
    ...was,
    name: model,
    renamed,
    fieldsByName: after.fieldsByName,
  })
  for (const { path = '' } of still) named.push(await objectAt(config, caller, path))
  const followed = await previewRenames(config, caller.tenant, was, renames)
  return {
    breaks: breaks.map((one) => ({ ...one, examples: [...one.examples] })),
    named_by: named,
    ...(followed.length > 0 && { renames: followed.map((one) => ({ ...one, follows: [...one.follows] })) }),
    ...(!isWhole && { is_incomplete: true as const }),
  }
}

/** The hooks of the table whose scripts name a field that goes. */
function namedByHooks(
  { automations, fieldsByName }: Awaited<ReturnType<TableAdministration['preview']>>['before'],
  name: string,
  kept: readonly string[],
): NamedBy[] {
  const known = [...fieldsByName.keys()]
  return automations.flatMap((hook, index) => {
    const warned = (fields: readonly string[]) => scriptWarnings(hook.script, { name, fields })
    return warned(kept).length > warned(known).length
      ? [{ kind: 'hook', id: hook.id, name: hook.name, path: `automations.${index}.script` }]
      : []
  })
}

/** The table of a view and its name, `requests.Urgent`, as the table is called. */
const viewName = (tenant: NamesTables, known: string): string =>
  known.replace(/^[^.]+(?=\.)/, (stored) => publicTable(tenant, stored))

/** The object of the configuration that a warning is about: `roles.agent.grants.0.filter`. */
async function objectAt(config: Pick<Config, 'listFresh'>, { tenant }: Caller, path: string): Promise<NamedBy> {
  const [section = '', ...rest] = path.split('.')
  const [kind, row] = kinds[section as keyof typeof kinds] ?? [section, undefined]
  const rows = row ? await config.listFresh(tenant, row) : []
  const inside = rest.join('.')
  for (const { name: own, doc } of rows) {
    const { id, name = own, model } = doc as { readonly id?: number; readonly name?: string; readonly model?: string }
    // A view is known by its table and name.
    for (const known of [own, name, `${model}.${name}`])
      if (inside === known || inside.startsWith(`${known}.`))
        return {
          kind,
          id: id ?? null,
          name: kind === 'view' ? viewName(tenant, known) : known,
          path: inside.slice(known.length + 1),
        }
  }
  return { kind, id: null, name: rest[0] ?? '', path: rest.slice(1).join('.') }
}
