import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type Config, type ConfigRow, putConfigRow } from '../../../platform/store/config.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { StoredTable } from '../table.ts'
import { renameInRollups } from './rename-fields.ts'
import { renameInFilter, renameInPath, type TableRenames } from './rename-in-filter.ts'

type Doc = Readonly<Record<string, unknown>>
type Rename = (doc: Doc, change: TableRenames) => Doc

const pathsIn = (change: TableRenames, table: string, paths: unknown): unknown =>
  Array.isArray(paths) ? paths.map((path) => renameInPath(change, table, String(path))) : paths

const membersIn = (change: TableRenames, members: unknown): unknown =>
  Object.fromEntries(Object.entries(members as Doc).map(([name, value]) => [change.renames.get(name) ?? name, value]))

/** What a rule tells a process: its key and variables may name fields as `record.<field>`. */
function toldIn(change: TableRenames, told: Doc | null): Doc | null {
  if (told === null) return null
  const sourceIn = (source: unknown): unknown => {
    const [, field = ''] = /^record\.(.*)$/s.exec(String(source)) ?? []
    const renamed = change.renames.get(field)
    return renamed === undefined ? source : `record.${renamed}`
  }
  return {
    ...told,
    ...(typeof told.correlation_key === 'string' && { correlation_key: sourceIn(told.correlation_key) }),
    ...(typeof told.variables === 'object' && {
      variables: Object.fromEntries(Object.entries(told.variables as Doc).map(([name, one]) => [name, sourceIn(one)])),
    }),
  }
}

/*
 * The rows of other slices are read as they lie, as where a name may not dangle (`find-uses.ts`): what they name as data
 * follows a rename, in its transaction. What they name in scripts and other text does not.
 */
type ConfigKind = Parameters<Config['listFresh']>[1]

const renames: readonly (readonly [ConfigKind, Rename])[] = [
  [
    'TABLE',
    (doc, change) => {
      const stored = doc as unknown as StoredTable
      return { ...doc, table_fields: renameInRollups(stored.table_fields, change) }
    },
  ],
  [
    'ROLE',
    (doc, change) => {
      const rules = doc.rules as readonly { readonly table: string; readonly filter: unknown }[] | undefined
      const fields = doc.fields as Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
      const own = fields?.[change.table]
      return {
        ...doc,
        ...(rules && {
          rules: rules.map((rule) => ({ ...rule, filter: renameInFilter(change, rule.table, rule.filter) })),
        }),
        ...(own && {
          fields: {
            ...fields,
            [change.table]: Object.fromEntries(
              Object.entries(own).map(([action, names]) => [action, pathsIn(change, change.table, names)]),
            ),
          },
        }),
      }
    },
  ],
  [
    'VIEW',
    (doc, change) => {
      const model = String(doc.model)
      return {
        ...doc,
        columns: pathsIn(change, model, doc.columns),
        filter: renameInFilter(change, model, doc.filter),
        sort: pathsIn(change, model, doc.sort),
        groupBy: pathsIn(change, model, doc.groupBy),
      }
    },
  ],
  [
    'SUBSCRIPTION',
    (doc, change) => ({
      ...doc,
      filter: renameInFilter(change, String(doc.table), doc.filter),
      ...(doc.table === change.table && { fields: pathsIn(change, change.table, doc.fields) }),
    }),
  ],
  [
    'MACRO',
    (doc, change) => (doc.model === change.table && doc.set ? { ...doc, set: membersIn(change, doc.set) } : doc),
  ],
  [
    'IMPORT_MAPPING',
    (doc, change) =>
      doc.model === change.table
        ? {
            ...doc,
            mapping: Object.fromEntries(
              Object.entries(doc.mapping as Readonly<Record<string, string>>).map(([column, name]) => [
                column,
                change.renames.get(name) ?? name,
              ]),
            ),
            key: typeof doc.key === 'string' ? (change.renames.get(doc.key) ?? doc.key) : doc.key,
          }
        : doc,
  ],
  [
    'MAILBOX',
    (doc, change) =>
      doc.table === change.table && doc.values ? { ...doc, values: membersIn(change, doc.values) } : doc,
  ],
  [
    'INCOMING_ACTION',
    (doc, change) =>
      doc.targetModel === change.table && doc.fieldMapping
        ? {
            ...doc,
            fieldMapping: membersIn(change, doc.fieldMapping),
            ...(typeof doc.processMessage === 'object' && {
              processMessage: toldIn(change, doc.processMessage as Doc | null),
            }),
          }
        : doc,
  ],
]

/** A row that follows a rename, and its document with the new names. */
export interface Follower {
  readonly kind: ConfigKind
  readonly row: ConfigRow
  readonly doc: Doc
}

/** The rows that name the fields of a change as data, apart from the row of their table itself. */
export async function findFollowers(
  config: Pick<Config, 'listFresh'>,
  tenant: TenantRef,
  changes: readonly TableRenames[],
): Promise<readonly (readonly Follower[])[]> {
  const found = changes.map((): Follower[] => [])
  for (const [kind, rename] of renames)
    for (const row of await config.listFresh(tenant, kind))
      for (const [index, change] of changes.entries()) {
        if (kind === 'TABLE' && row.name === change.table) continue
        const doc = renamedDoc(row, rename, change)
        if (doc) found[index]?.push({ kind, row, doc })
      }
  return found
}

/** The writes by which what names the renamed fields follows. The row of the table itself is not among them. */
export async function followRenames(
  config: Pick<Config, 'listFresh'>,
  tenant: TenantRef,
  change: TableRenames,
  audit: { readonly userId: number; readonly at: string },
): Promise<readonly Write[]> {
  if (change.renames.size === 0) return []
  const [found = []] = await findFollowers(config, tenant, [change])
  return found.map(({ kind, row, doc }) =>
    putConfigRow(tenant, kind, { ...row, version: row.version + 1, doc, updatedAt: audit.at }, row.version, audit),
  )
}

/** The document with the new names; undefined when it names none of them. */
function renamedDoc({ doc }: ConfigRow, rename: Rename, change: TableRenames): Doc | undefined {
  const text = JSON.stringify(doc)
  if (![...change.renames.keys()].some((name) => text.includes(name))) return undefined
  const next = rename(doc as Doc, change)
  return JSON.stringify(next) === text ? undefined : next
}
