import { placeholdersByCode } from '../../../messages/notification-templates/placeholders-by-code.ts'
import type { Config } from '../../../platform/store/config.ts'
import { referencedTable, rolesIn } from '../../../tables/field-types/read-field.ts'
import type { TableAdministration } from '../../../tables/tables/administration/administer-tables.ts'
import { defaultLabel, defaultTitleField } from '../../../tables/tables/administration/save-table.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import { withoutDoneRenames } from '../../../tables/tables/renames/plan-renames.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { tableWarnings } from '../../warnings/table-warnings.ts'
import type { TableConfiguration } from '../schema.ts'
import type { Author, Section } from './section.ts'
import { namesAdded } from './tables-to-be.ts'

/**
 * The tables of a configuration, by name, with fields and hooks. Built-in tables are included: they may have been
 * changed.
 */
export function tableSection(
  tables: Pick<Tables, 'allFresh' | 'findFresh'>,
  administration: Pick<TableAdministration, 'check' | 'create' | 'change'>,
  config: Pick<Config, 'listFresh'>,
): Section<TableConfiguration> {
  async function readAll({ tenant }: Author): Promise<ReadonlyMap<string, Table>> {
    return new Map((await tables.allFresh(tenant)).map((table) => [table.name, table]))
  }

  const described = new WeakMap<TableConfiguration, Table>()
  const describedOf = (table: Table): TableConfiguration => {
    const document = describe(table)
    described.set(document, table)
    return document
  }

  return {
    read: async (author) => new Map([...(await readAll(author))].map(([name, table]) => [name, describedOf(table)])),
    // A rename that was made is no difference, however often its document is applied.
    comparable(document, before) {
      const table = described.get(before)
      return table ? { ...document, table_fields: withoutDoneRenames(table, document.table_fields) } : document
    },
    complete: (document, before) => ({
      name: document.name,
      label: document.label ?? before?.label ?? defaultLabel(document.name),
      title_field:
        document.title_field === undefined
          ? (before?.title_field ?? defaultTitleField(document.table_fields))
          : document.title_field,
      table_fields: document.table_fields,
      automations: document.automations.map(({ kind, name, script, is_active, position }, index) => ({
        kind,
        name: name ?? kind,
        script,
        is_active,
        position: position ?? index + 1,
      })),
    }),
    async openCheck({ tenant }, existing, whole) {
      const names = new Set([...existing.keys(), ...(whole.tables ?? []).map(({ name }) => name)])
      const roles = whole.roles?.map(({ name }) => name)
      const templates = async () =>
        new Map([...(await placeholdersByCode(config, tenant)), ...namesAdded(whole).templates])
      const known = {
        roles: [...(await config.listFresh(tenant, 'ROLE')).map(({ name }) => name), ...(roles ?? [])],
        templates,
      }
      return async (document, _index, warn) => {
        for (const warning of await tableWarnings(document, known)) warn(warning)
        return administration.check(tenant, document, { names, roles })
      }
    },
    inOrder: targetsFirst,
    async create(author, document, names) {
      // In a circle of references, fields that refer to a table not created yet are added by `change` afterwards.
      const fields = document.table_fields.filter((field) => {
        const target = referencedTable(field)
        return target === undefined || target === document.name || names.has(target)
      })
      const isWhole = fields.length === document.table_fields.length
      const title_field = fields.some(({ name }) => name === document.title_field) ? document.title_field : null
      await administration.create(
        author,
        isWhole ? document : { ...document, title_field, table_fields: fields, automations: [] },
        { names, roles: rolesToBe(document) },
      )
    },
    async change(author, document, names) {
      const before = await tables.findFresh(author.tenant, document.name)
      const idOf = (kind: string, name: string | undefined) =>
        before?.automations.find((one) => one.kind === kind && one.name === name)?.id
      const automations = document.automations.map((one) => ({ ...one, id: idOf(one.kind, one.name) }))
      const known = { names, roles: rolesToBe(document) }
      await administration.change(author, document.name, { ...document, automations }, known)
    },
  }
}

/** The roles of a checked document exist, or are created after the tables that their permissions name. */
const rolesToBe = ({ table_fields }: TableConfiguration): string[] =>
  table_fields.flatMap((field) => rolesIn(field).map(({ role }) => role))

const describe = ({ name, label, title_field, table_fields, automations }: Table): TableConfiguration => ({
  name,
  label,
  title_field,
  table_fields: [...table_fields],
  automations: automations.map(({ id: _, ...automation }) => automation),
})

/** The tables ordered so that each follows those it refers to, except within circles of references. */
function targetsFirst(documents: readonly TableConfiguration[]): readonly TableConfiguration[] {
  const byName = new Map(documents.map((document) => [document.name, document]))
  const ordered = new Set<TableConfiguration>()
  const visit = (document: TableConfiguration, ancestors: ReadonlySet<string>): void => {
    if (ordered.has(document) || ancestors.has(document.name)) return
    for (const field of document.table_fields) {
      const target = byName.get(referencedTable(field) ?? '')
      if (target && target !== document) visit(target, new Set([...ancestors, document.name]))
    }
    ordered.add(document)
  }
  for (const document of documents) visit(document, new Set())
  return [...ordered]
}
