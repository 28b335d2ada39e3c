import type { FieldErrors } from '../kernel/faults.ts'
import { codePattern } from '../processes/schema.ts'
import {
  changeTemplate,
  createTemplate,
  type TemplateDependencies,
  checkTemplate,
  type KnownTable,
  readTemplate,
  readXml,
} from '../processes/service.ts'
import type { ProcessConfiguration, TableConfiguration } from './schema.ts'
import type { Section } from './section.ts'

/** The process templates of a configuration, by their code. */
export function processSection(
  deps: TemplateDependencies & {
    readonly tables: { allFresh(tenant: { readonly id: number }): Promise<readonly KnownTable[]> }
  },
): Section<ProcessConfiguration> {
  const { store, config, tables, compile } = deps

  return {
    async read({ tenant }) {
      const templates = (await config.listFresh(tenant, 'PROCESS')).map(readTemplate)
      const documents = await Promise.all(
        templates.map(async ({ id, code, name, table, isAutoStart, isActive, version }) => {
          const bpmn_xml = (await readXml(store, tenant, id, version)) ?? ''
          return { name: code, label: name, table, bpmn_xml, is_auto_start: isAutoStart, is_active: isActive }
        }),
      )
      return new Map(documents.map((document) => [document.name, document]))
    },
    complete: ({ name, label, table, bpmn_xml, is_auto_start, is_active }, before) => ({
      name,
      label: label ?? before?.label ?? name,
      table,
      bpmn_xml,
      // Left out for a new template: its BPMN document decides.
      ...((is_auto_start ?? before?.is_auto_start) !== undefined && {
        is_auto_start: is_auto_start ?? before?.is_auto_start,
      }),
      is_active: is_active ?? before?.is_active ?? true,
    }),
    async check({ tenant }, documents, existing, whole) {
      const errors: FieldErrors = {}
      const found = new Map<string, KnownTable>((await tables.allFresh(tenant)).map((table) => [table.name, table]))
      for (const document of whole.tables ?? []) found.set(document.name, tableToBe(document))
      for (const [index, { name, table, bpmn_xml }] of documents.entries()) {
        if (!codePattern.test(name))
          errors[`${index}.name`] = [
            'Use lower-case letters, digits, dashes and underscores, beginning with a letter, at most 63.',
          ]
        const before = existing.get(name)
        // An unchanged template was checked when it was saved; its table may have changed since.
        if (before && before.table === table && before.bpmn_xml === bpmn_xml) continue
        const own = found.get(table)
        if (!own) errors[`${index}.table`] = ['The selected table is invalid.']
        const checked = own && (await checkTemplate(compile, async (other) => found.get(other), own, bpmn_xml))
        if (checked && 'findings' in checked)
          errors[`${index}.bpmn_xml`] = checked.findings.map(({ elementId, message }) =>
            elementId === null ? message : `${elementId}: ${message}`,
          )
      }
      return errors
    },
    async create(caller, { name, label = name, ...rest }) {
      await createTemplate(deps, caller, { ...rest, code: name, name: label })
    },
    async change(caller, { name, label, ...rest }) {
      const row = await config.getFresh(caller.tenant, 'PROCESS', name)
      if (row) await changeTemplate(deps, caller, readTemplate(row).id, { ...rest, name: label })
    },
  }
}

/** A table of the document, which may not exist yet, as processes see it. */
const tableToBe = ({ name, table_fields }: TableConfiguration): KnownTable => ({
  name,
  fieldsByName: new Map(table_fields.map((field) => [field.name, field])),
})
