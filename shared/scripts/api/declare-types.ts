import { typeOfField } from '../../tables/field-types/read-field.ts'
import type { Field } from '../../tables/tables/schema.ts'
import { methodGroups } from './methods/registry.ts'

/** What a declaration needs of a table. */
export interface DeclaredTable {
  readonly name: string
  readonly label: string
  readonly table_fields: readonly Field[]
}

/**
 * The TypeScript declaration of a script's globals, for editors. `$api` knows all tables of the tenant; `$data` and
 * `$old` have the fields of `model`.
 */
export function declareTypes(tables: readonly DeclaredTable[], model: string | undefined): string {
  const names = tables.map(({ name }) => `  ${name}: ${typeName(name)}`)
  const data = model === undefined ? 'Record<string, any>' : `Partial<${typeName(model)}>`
  return `${tables.map(declareTable).join('\n')}
interface Tables {
${names.join('\n')}
}
type TableName = keyof Tables
type RecordOf<T extends TableName> = Tables[T] & StandardFields
interface StandardFields {
  id: number
  tenant_id: number
  created_by: number
  updated_by: number
  created_at: string
  updated_at: string
  version: number
}
${api}
/** The record's fields; what before_create and before_update change is validated again and saved. Holds \`id\` once there is one. */
declare var $data: ${data} & { id?: number }
/** The fields before the change. */
declare const $old: (Readonly<${data}> & { readonly id?: number }) | null
/** The record before the operation. Every member is null where there was none: in create hooks, and in rules that make a record. */
declare const $record: { [K in 'id' | 'version' | 'created_by' | 'updated_by']: number | null } & { [K in 'created_at' | 'updated_at']: string | null }
/** The message, in scripts of rules; null in others. */
declare const $incoming: {
  readonly id: number
  readonly channel: 'messenger' | 'email' | 'api'
  readonly from_name: string | null
  readonly from_email: string | null
  readonly from_id: string | null
  readonly subject: string | null
  readonly body: string
  readonly payload: any
  readonly [member: string]: any
}
/** In whose name the script runs. */
declare const $user: { readonly id: number; readonly name: string; readonly email: string; readonly roles: readonly string[] }
/** \`depth\` is 0 unless another script led to this one; \`run_id\` stays the same when a crash makes a run repeat; \`source\` is what led to the operation. */
declare const $context: { readonly kind: string; readonly model: string; readonly id: number | null; readonly depth: number; readonly now: string; readonly run_id: string; readonly source: 'api' | 'bulk' | 'delete' | 'import' | 'macro' | 'process' | 'restore' | 'rule' | 'script' | 'undo' }
declare class Exception extends Error {}
`
}

const typeName = (table: string): string =>
  `${table.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Fields`

function declareTable({ name, label, table_fields }: DeclaredTable): string {
  const fields = table_fields.map((field) => {
    const note = field.label && field.label !== field.name ? `  /** ${comment(field.label)} */\n` : ''
    return `${note}  ${field.name}: ${typeOfField(field).scriptType(field)} | null`
  })
  return `/** ${comment(label)} */
interface ${typeName(name)} {
${fields.join('\n')}
}`
}

/** A label must not end the comment that contains it. */
const comment = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/[\r\n\u2028\u2029]+/g, ' ')

const methods = methodGroups.flat()
const api = `type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year' | 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years'
${methods.flatMap(({ types }) => types ?? []).join('\n')}
declare const $api: {
${methodGroups.map((group) => group.map(({ declaration }) => `  ${declaration}`).join('\n')).join('\n\n')}
}`
