import { Forbidden, Invalid } from '../../../kernel/failures/faults.ts'
import { mayOnTable, permittedFields } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Config } from '../../../platform/store/config.ts'
import { describeTimes } from '../../../platform/store/rows/object-row.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import { wfDescriptor } from '../../bpmn/document/read/wf-descriptor.ts'
import type { Finding } from '../../bpmn/shapes/compiled-process.ts'
import type { TemplateAnswer, TemplateHead } from '../schema.ts'
import { readTemplate, type Template } from './template.ts'

/** A template as lists show it: without its document. */
export const describeTemplate = (template: Template): TemplateHead => ({
  id: template.id,
  ...templateDocument(template),
  ...describeTimes(template),
  version: template.version,
})

/** Of a template that is not active: why it cannot run yet. */
export const describeFindings = (
  { isActive }: Pick<Template, 'isActive'>,
  findings: readonly Finding[],
): Pick<TemplateAnswer, 'findings'> => (isActive ? {} : { findings: findings.map(describeFinding) })

/** A finding as answers show it. */
export const describeFinding = ({ elementId, code = 'invalid', message }: Finding) => ({
  element_id: elementId,
  code,
  message,
})

/** What administrators set of it besides its document. */
export const templateDocument = ({ code, name, table, isAutoStart, isActive }: Template) => ({
  code,
  name,
  table,
  is_auto_start: isAutoStart,
  is_active: isActive,
})

/** The names of templates by id, without deleted ones. */
export const templateNames = async (
  config: Pick<Config, 'list'>,
  tenant: Tenant,
): Promise<ReadonlyMap<number, string>> =>
  new Map((await config.list(tenant, 'PROCESS', readTemplate)).map(({ id, name }) => [id, name]))

/**
 * The moddle descriptor of the `wf:` namespace for editors. With a table its task attributes include
 * `complete_on_field_<field>` for the fields that the caller may read. Throws Invalid for an unknown table, Forbidden
 * for one that the caller may not read.
 */
export async function describeExtension(
  { tables }: { readonly tables: Pick<Tables, 'find'> },
  caller: Caller,
  name: string | undefined,
) {
  if (name === undefined) return wfDescriptor
  if (!mayOnTable(caller, name, 'read')) throw new Forbidden('forbidden', `You may not read the table ${name}.`)
  const table = await tables.find(caller.tenant, name)
  if (!table) throw new Invalid({ table: [`There is no table ${name}.`] })
  const readable = permittedFields(caller, name, 'read')
  const attributes = table.table_fields
    .filter((field) => readable?.has(field.name) !== false)
    .map((field) => ({ name: `complete_on_field_${field.name}`, isAttr: true as const, type: 'String' }))
  return {
    ...wfDescriptor,
    types: wfDescriptor.types.map((type) =>
      type.name === 'TaskProps' ? { ...type, properties: [...type.properties, ...attributes] } : type,
    ),
  }
}
