import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Config } from '../../../platform/store/config.ts'
import { describeTimes } from '../../../platform/store/rows/object-row.ts'
import type { Finding } from '../definition/compiled-process.ts'
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
