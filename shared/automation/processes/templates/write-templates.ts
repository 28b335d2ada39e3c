import { requireCurrentVersion, type VersionMatch } from '../../../kernel/failures/concurrent-change.ts'
import { Conflict, Invalid, inUse, NotFound } from '../../../kernel/failures/faults.ts'
import type { Warning } from '../../../kernel/failures/warning.ts'
import type { Principal } from '../../../kernel/principal.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import { thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { activeSince } from '../../../platform/configured-objects/service.ts'
import { putConfigRow, removeConfigRow, timesAt } from '../../../platform/store/config.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Step } from '../../../platform/store/writes/commit.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { configurationEvent } from '../../../platform/trail/service.ts'
import { bindProcesses } from '../../../tables/tables/service.ts'
import type { CompiledProcess } from '../definition/compiled-process.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { versionItem } from '../rows/version-row.ts'
import type { TemplateAnswer, TemplateChange, TemplateInput } from '../schema.ts'
import { type CompileProcess, checkTemplate } from './check-template.ts'
import { configuredNames } from './configured-names.ts'
import { describeTemplate, templateDocument } from './describe-template.ts'
import { hasRunningInstances } from './has-running-instances.ts'
import type { KnownTable, ProcessWarning } from './known-names.ts'
import { namedBy } from './name-findings.ts'
import { compileForTenant } from './named-tables.ts'
import { requireXml } from './read-templates.ts'
import { templateCode } from './template-code.ts'
import { TemplateRefused } from './template-refused.ts'
import { readTemplate, type Template, templateRow, templateSequence } from './template.ts'

/** What the administration of templates needs. */
export type TemplateDependencies = Pick<
  AdvanceDependencies,
  'store' | 'clock' | 'config' | 'tables' | 'openProcess'
> & {
  readonly compile: CompileProcess
}

/** A saved template, and what its document names that means nothing, or nothing yet. */
interface SavedTemplate {
  readonly template: TemplateAnswer
  readonly warnings: readonly Warning[]
}

/**
 * Stores a template as version 1. Throws TemplateRefused for a document that cannot run, Conflict for a code in use.
 */
export async function createTemplate(
  templates: TemplateDependencies,
  caller: Principal,
  input: TemplateInput,
): Promise<SavedTemplate> {
  const { store, config } = templates
  const { tenant } = caller
  const { name, bpmn_xml: xml } = input
  const compile = compileForTenant(templates.compile, tenant, templates.clock.now())
  const table = input.table ?? (await tableOfDocument(compile, xml))
  const code = input.code ?? templateCode(name)
  if (code === undefined)
    throw new Invalid({ code: ['The code field is required when the name holds no letters it could be made of.'] })
  const { process, warnings } = await compileFor(templates, tenant, table, xml)
  if (await config.getFresh(tenant, 'PROCESS', code)) throw duplicateCode()
  const at = isoTime(templates.clock.now())
  const template: Template = {
    id: await reserveIds(store, tenant, templateSequence, 1),
    code,
    name,
    table,
    isAutoStart: input.is_auto_start ?? process.wf.isAutoStart ?? false,
    isActive: input.is_active ?? true,
    startCondition: process.wf.startCondition ?? null,
    named: namedBy(process),
    ...activeSince(undefined, { table }, at),
    ...timesAt(undefined, at),
    version: 1,
  }
  await retryWithJitter(templates.clock, async (again) => {
    await save(templates, caller, template, { xml, process }, null, again)
  })
  return { template: { ...describeTemplate(template), bpmn_xml: xml }, warnings: describeWarnings(warnings) }
}

/**
 * Merges a change into a template as its next version; running instances keep theirs. A change that alters nothing
 * makes no version. The document is checked when it or the table changes (docs/decisions/0030). Throws TemplateRefused,
 * and PreconditionFailed when `version` or `If-Match` names another version.
 */
export async function changeTemplate(
  templates: TemplateDependencies,
  caller: Principal,
  id: number,
  input: TemplateChange,
  ifMatch?: VersionMatch,
): Promise<SavedTemplate> {
  const { tenant } = caller
  return retryWithJitter(templates.clock, async (again) => {
    const before = await requireTemplate(templates, tenant, id)
    requireCurrentVersion('process template', before, { version: input.version, ifMatch })
    if (input.code !== undefined && input.code !== before.code)
      throw new Invalid({ code: ['The code of a process template cannot be changed.'] })
    const xmlBefore = await requireXml(templates, tenant, before)
    const {
      name = before.name,
      table = before.table,
      bpmn_xml: xml = xmlBefore,
      is_auto_start: isAutoStart = before.isAutoStart,
      is_active: isActive = before.isActive,
    } = input
    const isSame =
      name === before.name &&
      table === before.table &&
      xml === xmlBefore &&
      isAutoStart === before.isAutoStart &&
      isActive === before.isActive
    if (isSame) return { template: { ...describeTemplate(before), bpmn_xml: xml }, warnings: [] }
    // An unchanged document is not checked again: a process can be switched off even if its table has lost a field.
    const isNewDocument = xml !== xmlBefore || table !== before.table
    const checked = isNewDocument
      ? await compileFor(templates, tenant, table, xml, table === before.table ? xmlBefore : undefined)
      : undefined
    const process = checked?.process ?? (await templates.openProcess(tenant, id, before.version))
    const at = isoTime(templates.clock.now())
    const after: Template = {
      ...before,
      name,
      table,
      isAutoStart,
      isActive,
      startCondition: process.wf.startCondition ?? null,
      named: namedBy(process),
      ...activeSince(startsItself(before), { table }, at),
      ...timesAt(before, at),
      version: before.version + 1,
    }
    await save(templates, caller, after, { xml, process }, before, again)
    return {
      template: { ...describeTemplate(after), bpmn_xml: xml },
      warnings: describeWarnings(checked?.warnings ?? []),
    }
  })
}

/**
 * Deletes a template. Its versions stay, because instances that have ended show their activities by them. Throws
 * Invalid while instances run. The index may miss an instance that has just started; that instance continues on its
 * version.
 */
export async function deleteTemplate(
  templates: TemplateDependencies,
  caller: Principal,
  id: number,
  ifMatch?: VersionMatch,
): Promise<void> {
  const { store, config, clock } = templates
  const { tenant } = caller
  await retryWithJitter(clock, async (again) => {
    const template = await requireTemplate(templates, tenant, id)
    requireCurrentVersion('process template', template, { ifMatch })
    if (await hasRunningInstances(store, tenant, id))
      throw inUse('Instances of this process are running: wait for them, or cancel them first.')
    await config.change(
      tenant,
      [
        removeConfigRow(tenant, 'PROCESS', template.code, template.version),
        templateEvent(clock, caller, template, undefined),
      ],
      again,
    )
  })
}

/** A template as one that is active while it starts by itself: it may be active for starts by hand only. */
const startsItself = (one: Template): Template => ({ ...one, isActive: one.isActive && one.isAutoStart })

/** The table that a document names itself. Throws Invalid when it names none, TemplateRefused when it cannot run. */
async function tableOfDocument(compile: CompileProcess, xml: string): Promise<string> {
  const compiled = await compile(xml)
  if ('findings' in compiled) throw new TemplateRefused(compiled.findings)
  if (compiled.process.wf.table === undefined)
    throw new Invalid({ table: ['The table field is required unless the process says wf:table="...".'] })
  return compiled.process.wf.table
}

/**
 * Compiles a document for a table. Throws Invalid for an unknown table, TemplateRefused for a document that cannot run.
 */
async function compileFor(
  templates: TemplateDependencies,
  tenant: Tenant,
  name: string,
  xml: string,
  before?: string,
): Promise<{ readonly process: CompiledProcess; readonly warnings: readonly ProcessWarning[] }> {
  const { tables } = templates
  const compile = compileForTenant(templates.compile, tenant, templates.clock.now())
  const table: KnownTable | undefined = await tables.find(tenant, name)
  if (!table) {
    const names = (await tables.all(tenant)).map((one) => one.name)
    throw new Invalid({ table: [`The selected table is invalid: ${thereIsNo('table', name, names)}`] })
  }
  const known = { ...configuredNames(templates, tenant), findTable: (other: string) => tables.find(tenant, other) }
  const checked = await checkTemplate(compile, known, table, xml, before)
  if ('findings' in checked) throw new TemplateRefused(checked.findings)
  return checked
}

/** Warnings as answers show them. */
export const describeWarnings = (warnings: readonly ProcessWarning[]): Warning[] =>
  warnings.map(({ elementId, code = 'ignored', message }) => ({ element_id: elementId, code, message }))

/** Writes the configuration row, the version, the table's mark that it has processes, and the trail event. */
async function save(
  { config, clock }: TemplateDependencies,
  caller: Principal,
  template: Template,
  content: { readonly xml: string; readonly process: CompiledProcess },
  before: Template | null,
  again: (cause: Error) => never,
): Promise<void> {
  const { tenant, userId } = caller
  const row = putConfigRow(tenant, 'PROCESS', templateRow(template), before?.version ?? null, {
    userId,
    at: template.updatedAt ?? isoTime(clock.now()),
  })
  const version: Write = {
    put: versionItem(tenant, template.id, template.version, content),
    if: isNew,
  }
  const binding = before?.table === template.table ? [] : await bindProcesses({ config, clock }, caller, template.table)
  const first: Write | Step = before ? row : { write: row, refused: duplicateCode }
  const event = templateEvent(clock, caller, before ?? undefined, template)
  await config.change(tenant, [first, version, ...binding, event], again)
}

/** The trail event of a change, without the document: the versions hold it. */
const templateEvent = (
  clock: TemplateDependencies['clock'],
  caller: Principal,
  before: Template | undefined,
  after: Template | undefined,
): Write =>
  configurationEvent(clock, caller, {
    model: 'sys_process_templates',
    before,
    after,
    nameOf: ({ code }) => code,
    documentOf: templateDocument,
  })

/** The current template, read past the cache. Throws NotFound. */
async function requireTemplate(
  { config }: Pick<TemplateDependencies, 'config'>,
  tenant: TenantRef,
  id: number,
): Promise<Template> {
  const template = (await config.listFresh(tenant, 'PROCESS')).map(readTemplate).find((one) => one.id === id)
  if (!template) throw new NotFound('process_template', { id })
  return template
}

const duplicateCode = (): Conflict => new Conflict('name_taken', 'The code has already been taken.')
