import { byName } from '../../kernel/collections/own-members.ts'
import type { FieldErrors } from '../../kernel/failures/faults.ts'
import { maxTemplateMistakes } from '../../kernel/limits/messages.ts'
import { didYouMean } from '../../kernel/text/did-you-mean.ts'
import { standardFieldsByName } from '../../lists/query/grammar/field.ts'
import { parseTemplate } from '../../messages/notification-templates/placeholders.ts'
import type { Table } from '../../tables/tables/table.ts'
import type { Snippet } from './snippet.ts'

/** What a snippet may name. A configuration document adds what it makes. */
export interface SnippetNames {
  readonly tables: () => Promise<readonly Table[]>
  readonly roles: () => Promise<readonly string[]>
}

export type CheckedSnippet = Pick<Snippet, 'body' | 'model' | 'roles'>

/** The members of a person who gets or writes an answer. */
const personMembers = { requester: ['name', 'email'], me: ['id', 'name', 'email'], user: ['id', 'name', 'email'] }

/** The errors of a snippet, by path: roles and tables that do not exist, and placeholders that name nothing. */
export async function checkSnippet(names: SnippetNames, { body, model, roles }: CheckedSnippet): Promise<FieldErrors> {
  const errors: FieldErrors = byName()
  const known = roles?.length ? await names.roles() : []
  for (const [index, role] of (roles ?? []).entries())
    if (!known.includes(role)) errors[`roles.${index}`] = [`There is no role ${role}.${didYouMean(role, known)}`]
  const tables = await names.tables()
  const table = tables.find(({ name }) => name === model)
  if (model !== null && !table) {
    const others = tables.map(({ name }) => name)
    errors.model = [`There is no table ${model}.${didYouMean(model, others)}`]
    return errors
  }
  const unknown = unknownPlaceholders(body, tables, table)
  if (unknown.length > 0) errors.body = unknown
  return errors
}

const examples = '{{record.id}}, {{requester.name}} or {{me.name}}'

/** What the placeholders of a text name that is not given there. Without a table, a field is one of any table. */
function unknownPlaceholders(body: string, tables: readonly Table[], table: Table | undefined): string[] {
  if (!body.includes('{{')) return []
  const byNameOf = new Map(tables.map((one) => [one.name, one]))
  const about = table ? [table] : tables.filter((one) => !one.name.startsWith('sys_'))
  const paths = new Set<string>([
    'url',
    ...Object.entries(personMembers).flatMap(([who, members]) => members.map((member) => `${who}.${member}`)),
    ...[...standardFieldsByName.keys()].map((name) => `record.${name}`),
  ])
  for (const one of about)
    for (const field of one.table_fields) {
      paths.add(`record.${field.name}`)
      const { target_table: target } = field as { readonly target_table?: string }
      const other = target === undefined ? undefined : byNameOf.get(target)
      for (const name of other ? ['id', ...other.fieldsByName.keys()] : []) paths.add(`record.${field.name}.${name}`)
    }
  return parseTemplate(body)
    .flatMap((part): string[] => {
      if (part.kind === 'text') return []
      if (part.kind === 'mistake')
        return [`${part.text.slice(0, 40).toWellFormed()}: a placeholder is a path such as ${examples}.`]
      // As in templates, `record.data.title` is `record.title`, and `.raw` has the value as it is.
      const path = part.path.join('.')
      const plain = path.replace(/^record\.data\./, 'record.').replace(/(?<=\..+)\.raw$/, '')
      if (paths.has(plain)) return []
      const where = table ? `for records of ${table.name}` : 'for records of any table'
      return [`{{${path}}} names nothing ${where}.${didYouMean(plain, paths) || ` Use a path such as ${examples}.`}`]
    })
    .slice(0, maxTemplateMistakes)
}
