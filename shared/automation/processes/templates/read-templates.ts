import { NotFound } from '../../../kernel/failures/faults.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import type { ListQuery } from '../../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../../platform/http/paging/whole-list.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import type { TemplateAnswer, TemplateHead } from '../schema.ts'
import { describeTemplate } from './describe-template.ts'
import { readTemplate, readXml, type Template } from './template.ts'

/** Lists templates without their documents, newest first. A tenant has few, so all of them are read. */
export async function listTemplates(
  { config }: Pick<ProcessDependencies, 'config'>,
  tenant: Tenant,
  { table, ...paging }: ListQuery & { readonly table?: string },
): Promise<Page<TemplateHead>> {
  const templates = (await config.list(tenant, 'PROCESS', readTemplate)).filter(
    (one) => table === undefined || one.table === table,
  )
  return pageOfWholeList('templates', templates.toSorted((a, b) => b.id - a.id).map(describeTemplate), paging)
}

/** A template with the document of its current version. Throws NotFound. */
export async function getTemplate(
  { store, config }: Pick<ProcessDependencies, 'store' | 'config'>,
  tenant: Tenant,
  id: number,
): Promise<TemplateAnswer> {
  const template = (await config.list(tenant, 'PROCESS', readTemplate)).find((one) => one.id === id)
  if (!template) throw new NotFound('process_template', { id })
  return { ...describeTemplate(template), bpmn_xml: await requireXml({ store }, tenant, template) }
}

/** Adds a diagram to a document that has none. */
export type LayOut = (xml: string) => Promise<string>

/** A template whose document has a diagram. Throws NotFound. */
export async function getLaidOutTemplate(
  processes: Pick<ProcessDependencies, 'store' | 'config'> & { readonly layOut: LayOut },
  tenant: Tenant,
  id: number,
): Promise<TemplateAnswer> {
  const template = await getTemplate(processes, tenant, id)
  return { ...template, bpmn_xml: await processes.layOut(template.bpmn_xml) }
}

/** The document of a template's current version. */
export async function requireXml(
  { store }: Pick<ProcessDependencies, 'store'>,
  tenant: TenantRef,
  { id, version }: Template,
): Promise<string> {
  const xml = await readXml(store, tenant, id, version)
  if (xml === undefined) throw new Error(`there is no version ${version} of process template ${id}`)
  return xml
}
