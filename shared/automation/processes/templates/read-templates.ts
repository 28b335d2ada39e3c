import { NotFound } from '../../../kernel/failures/faults.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import type { ListQuery } from '../../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../../platform/http/paging/whole-list.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import type { TemplateAnswer, TemplateHead } from '../schema.ts'
import { describeFindings, describeTemplate } from './describe-template.ts'
import { describeNextStart } from './start-timers.ts'
import { readTemplate, readVersion, type StoredVersion, type Template } from './template.ts'

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

/**
 * A template with the document of its current version, or of a former one, which says nothing of what else has changed.
 * Throws NotFound, also for a version that there never was.
 */
export async function getTemplate(
  { store, config }: Pick<ProcessDependencies, 'store' | 'config'>,
  tenant: Tenant,
  id: number,
  version?: number,
): Promise<TemplateAnswer> {
  const template = (await config.list(tenant, 'PROCESS', readTemplate)).find((one) => one.id === id)
  if (!template) throw new NotFound('process_template', { id })
  if (version !== undefined && version !== template.version) return formerVersion(store, tenant, template, version)
  const { xml, findings } = await requireVersion({ store }, tenant, template)
  const next = await describeNextStart({ store }, tenant, template)
  return { ...describeTemplate(template), bpmn_xml: xml, ...describeFindings(template, findings), ...next }
}

async function formerVersion(
  store: ProcessDependencies['store'],
  tenant: Tenant,
  template: Template,
  version: number,
): Promise<TemplateAnswer> {
  const { id, version: current } = template
  const found = await readVersion(store, tenant, id, version)
  if (!found) {
    const versions = current === 1 ? 'its only version is 1' : `its versions are 1 to ${current}`
    const message = `There is no version ${version} of process template ${id}: ${versions}.`
    throw new NotFound('process_template', { id, version }, message)
  }
  const { xml, findings } = found
  const canRun = { isActive: findings.length === 0 }
  return { ...describeTemplate(template), version, bpmn_xml: xml, ...describeFindings(canRun, findings) }
}

/** Adds a diagram to a document that has none. */
export type LayOut = (xml: string) => Promise<string>

/** A template whose document has a diagram. Throws NotFound. */
export async function getLaidOutTemplate(
  processes: Pick<ProcessDependencies, 'store' | 'config'> & { readonly layOut: LayOut },
  tenant: Tenant,
  id: number,
  version?: number,
): Promise<TemplateAnswer> {
  const template = await getTemplate(processes, tenant, id, version)
  const { bpmn_xml: xml, findings = [] } = template
  // What is missing in a draft may be what the layout needs.
  const laidOut =
    findings.length > 0 ? await mayFail('lay out a draft', () => processes.layOut(xml)) : await processes.layOut(xml)
  return { ...template, bpmn_xml: laidOut ?? xml }
}

/** A template's current version. */
export async function requireVersion(
  { store }: Pick<ProcessDependencies, 'store'>,
  tenant: TenantRef,
  { id, version }: Template,
): Promise<StoredVersion> {
  const found = await readVersion(store, tenant, id, version)
  if (found === undefined) throw new Error(`there is no version ${version} of process template ${id}`)
  return found
}
