import type { Tenant } from '../../../kernel/tenancy.ts'
import { placeholdersOf } from '../../../messages/notification-templates/placeholders.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import { readTable, type Table } from '../../../tables/tables/table.ts'
import type { ConfigurationDocument, TableConfiguration } from '../schema.ts'

/** The tables as they will be once a document is applied. Each is read once. */
export function tablesToBe(tables: Pick<Tables, 'find' | 'all'>, tenant: Tenant, whole: ConfigurationDocument) {
  const given = new Map((whole.tables ?? []).map((document) => [document.name, document]))
  const made = new Map<string, Table>()

  function makeOnce(document: TableConfiguration): Table {
    const known = made.get(document.name) ?? tableToBe(document)
    made.set(document.name, known)
    return known
  }

  async function find(name: string): Promise<Table | undefined> {
    const document = given.get(name)
    return document ? makeOnce(document) : tables.find(tenant, name)
  }

  async function all(): Promise<readonly Table[]> {
    const existing = await tables.all(tenant)
    return [...existing.filter(({ name }) => !given.has(name)), ...[...given.values()].map(makeOnce)]
  }

  return { find, all, names: async () => [...(await tables.all(tenant)).map(({ name }) => name), ...given.keys()] }
}

/** A table of the document, which may not exist yet. */
const tableToBe = ({ name, label = name, title_field = null, table_fields }: TableConfiguration): Table =>
  readTable({ name, version: 0, doc: { id: 0, label, title_field, table_fields, automations: [], retired: [] } })

/** What a document gives that others may name: after it is applied all of it exists, whatever the order. */
export const namesAdded = ({
  roles = [],
  channels = [],
  templates = [],
  processes = [],
  decisions = [],
}: ConfigurationDocument) => ({
  roles: roles.map(({ name }) => name),
  decisions: decisions.map(({ name }) => name),
  channels: channels.map(({ name }) => name),
  processes: processes.map(({ name, table, is_active = true }) => ({
    code: name,
    table,
    isActive: is_active,
    isTriggered: false,
  })),
  templates: new Map(
    templates.map(({ name, subject, body, translations = {} }) => [
      name,
      placeholdersOf({ subject, body, translations }),
    ]),
  ),
})
