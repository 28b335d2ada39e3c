import { codePattern } from '../../../automation/processes/schema.ts'
import { checkTemplate } from '../../../automation/processes/templates/check-template.ts'
import { configuredNames } from '../../../automation/processes/templates/configured-names.ts'
import { compileForTenant } from '../../../automation/processes/templates/named-tables.ts'
import { readTemplate, readXml } from '../../../automation/processes/templates/template.ts'
import {
  changeTemplate,
  createTemplate,
  describeWarnings,
  isNoDocument,
  type TemplateDependencies,
} from '../../../automation/processes/templates/write-templates.ts'
import { byName } from '../../../kernel/collections/own-members.ts'
import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import { thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import type { ProcessConfiguration } from '../schema.ts'
import type { Section } from './section.ts'
import { namesAdded, tablesToBe } from './tables-to-be.ts'

/** The process templates of a configuration, by their code. */
export function processSection(
  services: TemplateDependencies & { readonly tables: Pick<Tables, 'find' | 'all'> },
): Section<ProcessConfiguration> {
  const { store, config, tables } = services

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
    async openCheck({ tenant }, existing, whole) {
      const { find, names } = tablesToBe(tables, tenant, whole)
      const compile = compileForTenant(services.compile, tenant, services.clock.now())
      const known = { ...configuredNames(services, tenant, namesAdded(whole)), findTable: find }
      return async ({ name, table, bpmn_xml, is_active: isActive = true }, _index, warn) => {
        const errors: FieldErrors = byName()
        if (!codePattern.test(name))
          errors.name = ['Use lower-case letters, digits, dashes and underscores, beginning with a letter, at most 63.']
        const before = existing.get(name)
        // An unchanged template was checked when it was saved; its table may have changed since. A draft was not.
        const isActivated = isActive && before?.is_active === false
        if (before && before.table === table && before.bpmn_xml === bpmn_xml && !isActivated) return errors
        const own = await find(table)
        if (!own) errors.table = [`The selected table is invalid: ${thereIsNo('table', table, await names())}`]
        const earlier = before?.table === table && before.is_active !== false ? before.bpmn_xml : undefined
        const checked = own && (await checkTemplate(compile, known, own, bpmn_xml, earlier))
        // A draft is saved with its findings.
        if (checked && 'findings' in checked && !isActive && !isNoDocument(checked.findings))
          for (const { elementId, message } of checked.findings)
            warn({ path: 'bpmn_xml', element_id: elementId, code: 'draft', message })
        else if (checked && 'findings' in checked)
          errors.bpmn_xml = checked.findings.map(({ elementId, message }) =>
            elementId === null ? message : `${elementId}: ${message}`,
          )
        else for (const warning of describeWarnings(checked?.warnings ?? [])) warn({ path: 'bpmn_xml', ...warning })
        return errors
      }
    },
    async create(author, { name, label = name, ...rest }) {
      await createTemplate(services, author, { ...rest, code: name, name: label })
    },
    async change(author, { name, label, ...rest }) {
      const row = await config.getFresh(author.tenant, 'PROCESS', name)
      if (row) await changeTemplate(services, author, readTemplate(row).id, { ...rest, name: label })
    },
  }
}
