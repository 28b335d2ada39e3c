import type { PageQuery } from '../../http/paging/page-query.ts'
import { pageOfWholeList } from '../../http/paging/whole-list.ts'
import type { Page } from '../../http/routing/envelope.ts'
import { isoTime } from '../../kernel/clock.ts'
import { Conflict, Invalid, NotFound } from '../../kernel/faults.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import type { Step } from '../../store/commit.ts'
import { isNew } from '../../store/conditions.ts'
import { putConfigRow, removeConfigRow } from '../../store/config.ts'
import { instancesByStatusPartition, instancesOfTemplatePartition } from '../../store/keys/processes.ts'
import { retryWithJitter } from '../../store/retry-with-jitter.ts'
import { reserveIds } from '../../store/sequence.ts'
import { instanceSlots, slotName } from '../../store/slots.ts'
import type { Write } from '../../store/table.ts'
import { bindProcesses } from '../../tables/service.ts'
import { documentChanges, trailEvent } from '../../trail/service.ts'
import type { CompiledProcess } from '../definition/compiled-process.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { scanIds } from '../instances/list-rows.ts'
import { versionItem } from '../rows/version-row.ts'
import type { TemplateAnswer, TemplateChange, TemplateHead, TemplateInput } from '../schema.ts'
import { type CompileProcess, type KnownTable, checkTemplate } from './check-template.ts'
import { describeTemplate } from './describe-template.ts'
import { codeOf } from './template-code.ts'
import { TemplateRefused } from './template-refused.ts'
import { readTemplate, readXml, type Template, templateRow, templateSequence } from './template.ts'

export type TemplateDependencies = Pick<
  AdvanceDependencies,
  'store' | 'clock' | 'config' | 'tables' | 'openProcess'
> & {
  readonly compile: CompileProcess
}

/** Templates, newest first, without their documents. A tenant has few: they are read whole. */
export async function listTemplates(
  { config }: Pick<TemplateDependencies, 'config'>,
  tenant: Tenant,
  { table, ...paging }: PageQuery & { readonly table?: string },
): Promise<Page<TemplateHead>> {
  const templates = (await config.list(tenant, 'PROCESS', readTemplate)).filter(
    (one) => table === undefined || one.table === table,
  )
  return pageOfWholeList('templates', templates.toSorted((a, b) => b.id - a.id).map(describeTemplate), paging)
}

export async function getTemplate(
  { store, config }: Pick<TemplateDependencies, 'store' | 'config'>,
  tenant: Tenant,
  id: number,
): Promise<TemplateAnswer> {
  const template = (await config.list(tenant, 'PROCESS', readTemplate)).find((one) => one.id === id)
  if (!template) throw new NotFound('process_template', { id })
  return { ...describeTemplate(template), bpmn_xml: await xmlOf({ store }, tenant, template) }
}

/** Throws TemplateRefused for a document that cannot run, Conflict for a code that is taken. */
export async function createTemplate(
  deps: TemplateDependencies,
  caller: Caller,
  input: TemplateInput,
): Promise<TemplateAnswer> {
  const { store, config } = deps
  const { tenant } = caller
  const { name, table, bpmn_xml: xml } = input
  const code = input.code ?? codeOf(name)
  if (code === undefined)
    throw new Invalid({ code: ['The code field is required when the name holds no letters it could be made of.'] })
  const process = await check(deps, tenant, table, xml)
  if (await config.getFresh(tenant, 'PROCESS', code)) throw codeTaken()
  const template: Template = {
    id: await reserveIds(store, tenant, templateSequence, 1),
    code,
    name,
    table,
    isAutoStart: input.is_auto_start ?? process.wf.isAutoStart ?? false,
    isActive: input.is_active ?? true,
    startCondition: process.wf.startCondition ?? null,
    version: 1,
  }
  await retryWithJitter(deps.clock, async (again) => {
    await save(deps, caller, template, { xml, process }, null, again)
  })
  return { ...describeTemplate(template), bpmn_xml: xml }
}

/**
 * Merges what is given into a template as its next version; what runs already stays on its own. A change of nothing makes no
 * version. `version`, when given, must be the current one (Conflict). A document is checked when it, or the table, changes.
 */
export async function changeTemplate(
  deps: TemplateDependencies,
  caller: Caller,
  id: number,
  input: TemplateChange,
): Promise<TemplateAnswer> {
  const { tenant } = caller
  return retryWithJitter(deps.clock, async (again) => {
    const before = await requireCurrent(deps, tenant, id)
    if (input.version !== undefined && input.version !== before.version)
      throw new Conflict('stale_version', `The process template has changed: its version is ${before.version}.`)
    if (input.code !== undefined && input.code !== before.code)
      throw new Invalid({ code: ['The code of a process template cannot be changed.'] })
    const xmlBefore = await xmlOf(deps, tenant, before)
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
    if (isSame) return { ...describeTemplate(before), bpmn_xml: xml }
    // A table may have lost a field since: that must not keep anybody from switching its process off.
    const isNewDocument = xml !== xmlBefore || table !== before.table
    const process = isNewDocument
      ? await check(deps, tenant, table, xml)
      : await deps.openProcess(tenant, id, before.version)
    const after: Template = {
      ...before,
      name,
      table,
      isAutoStart,
      isActive,
      startCondition: process.wf.startCondition ?? null,
      version: before.version + 1,
    }
    await save(deps, caller, after, { xml, process }, before, again)
    return { ...describeTemplate(after), bpmn_xml: xml }
  })
}

/**
 * Deletes a template; its versions stay, for what has run tells its activities by them. Throws Conflict while instances of it
 * run: one that started in this very moment may escape the index, and goes on on its version.
 */
export async function deleteTemplate(deps: TemplateDependencies, caller: Caller, id: number): Promise<void> {
  const { store, config, clock } = deps
  const { tenant } = caller
  await retryWithJitter(clock, async (again) => {
    const template = await requireCurrent(deps, tenant, id)
    if (await isRunning({ store }, tenant, id))
      throw new Conflict('in_use', 'Instances of this process are running: wait for them, or cancel them first.')
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

async function check(
  { tables, compile }: TemplateDependencies,
  tenant: Tenant,
  name: string,
  xml: string,
): Promise<CompiledProcess> {
  const table: KnownTable | undefined = await tables.find(tenant, name)
  if (!table) throw new Invalid({ table: ['The selected table is invalid.'] })
  const checked = await checkTemplate(compile, (other) => tables.find(tenant, other), table, xml)
  if ('findings' in checked) throw new TemplateRefused(checked.findings)
  return checked.process
}

/** The row of the configuration, its version, and what a table needs that has processes. */
async function save(
  { config, clock }: TemplateDependencies,
  caller: Caller,
  template: Template,
  content: { readonly xml: string; readonly process: CompiledProcess },
  before: Template | null,
  again: (cause: Error) => never,
): Promise<void> {
  const { tenant, userId } = caller
  const row = putConfigRow(tenant, 'PROCESS', templateRow(template), before?.version ?? null, {
    userId,
    at: isoTime(clock.now()),
  })
  const version: Write = {
    put: versionItem(tenant, template.id, template.version, content),
    if: isNew,
  }
  const binding = before?.table === template.table ? [] : await bindProcesses({ config, clock }, caller, template.table)
  const first: Write | Step = before ? row : { write: row, refused: codeTaken }
  const event = templateEvent(clock, caller, before ?? undefined, template)
  await config.change(tenant, [first, version, ...binding, event], again)
}

/** What the trail tells of a template; its document stands in its versions. */
function templateEvent(
  clock: TemplateDependencies['clock'],
  caller: Caller,
  before: Template | undefined,
  after: Template | undefined,
): Write {
  const { id, code, version } = (after ?? before) as Template
  const action = !before ? 'create' : after ? 'update' : 'delete'
  return trailEvent(clock, caller.tenant, caller, {
    action,
    model: 'sys_process_templates',
    id,
    name: code,
    version,
    changes: documentChanges(before && describeTemplate(before), after && describeTemplate(after)),
  })
}

async function requireCurrent(
  { config }: Pick<TemplateDependencies, 'config'>,
  tenant: TenantRef,
  id: number,
): Promise<Template> {
  const template = (await config.listFresh(tenant, 'PROCESS')).map(readTemplate).find((one) => one.id === id)
  if (!template) throw new NotFound('process_template', { id })
  return template
}

async function xmlOf(
  { store }: Pick<TemplateDependencies, 'store'>,
  tenant: TenantRef,
  { id, version }: Template,
): Promise<string> {
  const xml = await readXml(store, tenant, id, version)
  if (xml === undefined) throw new Error(`there is no version ${version} of process template ${id}`)
  return xml
}

/** Compares keys of two indexes, so that it reads no instance. */
async function isRunning(
  { store }: Pick<TemplateDependencies, 'store'>,
  tenant: TenantRef,
  templateId: number,
): Promise<boolean> {
  const running = new Set<number>()
  const open = ['running', 'incident'].map((status) => ({
    pk: instancesByStatusPartition(tenant, status),
    index: slotName(instanceSlots.byStatus),
  }))
  for await (const ids of scanIds(store, tenant, open, undefined, keysAStep)) for (const id of ids) running.add(id)
  if (running.size === 0) return false
  const own = { pk: instancesOfTemplatePartition(tenant, templateId), index: slotName(instanceSlots.ofTemplate) }
  for await (const ids of scanIds(store, tenant, [own], undefined, keysAStep))
    if (ids.some((id) => running.has(id))) return true
  return false
}

const keysAStep = 1000

const codeTaken = (): Conflict => new Conflict('name_taken', 'The code has already been taken.')
