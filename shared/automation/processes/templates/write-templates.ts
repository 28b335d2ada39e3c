import { requireCurrentVersion, type VersionMatch } from '../../../kernel/failures/concurrent-change.ts'
import { Conflict, inUse, Invalid, NotFound } from '../../../kernel/failures/faults.ts'
import type { Warning } from '../../../kernel/failures/warning.ts'
import type { Principal } from '../../../kernel/principal.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import { thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { activeSince } from '../../../platform/configured-objects/active-since.ts'
import { putConfigRow, removeConfigRow, timesAt } from '../../../platform/store/config.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Step } from '../../../platform/store/writes/commit.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { configurationEvent } from '../../../platform/trail/configuration-event.ts'
import { bindProcesses } from '../../../tables/tables/administration/bind-consumers.ts'
import { requireUnused } from '../../../tables/tables/administration/require-unused.ts'
import type { CompiledProcess, Finding } from '../../bpmn/shapes/compiled-process.ts'
import { freshDecisions } from '../../decisions/decision.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { type TemplateVersion, versionItem } from '../rows/version-row.ts'
import type { TemplateAnswer, TemplateChange, TemplateInput } from '../schema.ts'
import { checkTemplate, type CompileProcess } from './check-template.ts'
import { hasRunningInstances, templateCode, TemplateRefused } from './check-write.ts'
import { configuredNames } from './configured-names.ts'
import { describeFindings, describeTemplate, templateDocument } from './describe-template.ts'
import type { KnownTable, ProcessWarning } from './known-names.ts'
import { namedBy } from './name-findings.ts'
import { compileForTenant } from './named-tables.ts'
import { pinCalls, pinDecisions } from './pin-references.ts'
import { requireVersion } from './read-templates.ts'
import { describeNextStart, followStartTimers } from './start-timers.ts'
import { startsWithOnly } from './starts-with.ts'
import { readTemplate, type Template, templateRow, templateSequence } from './template.ts'

/** What the administration of templates needs. */
export type TemplateDependencies = Pick<
  AdvanceDependencies,
  'store' | 'clock' | 'config' | 'tables' | 'timeZone' | 'openProcess'
> & {
  readonly compile: CompileProcess
}

/** A saved template, and what its document names that means nothing, or nothing yet. */
interface SavedTemplate {
  readonly template: TemplateAnswer
  readonly warnings: readonly Warning[]
}

/**
 * Stores a template as version 1. Throws TemplateRefused for a document that cannot run, unless it is saved as a draft
 * (not active); Conflict for a code in use.
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
  const isActive = input.is_active ?? true
  const { process, wf, findings, warnings } = await checkFor(templates, tenant, { table, xml, isActive, code })
  if (await config.getFresh(tenant, 'PROCESS', code)) throw duplicateCode()
  const at = isoTime(templates.clock.now())
  const template: Template = {
    id: await reserveIds(store, tenant, templateSequence, 1),
    code,
    name,
    table,
    isAutoStart: input.is_auto_start ?? wf?.isAutoStart ?? false,
    isActive,
    startCondition: wf?.startCondition ?? null,
    named: process && namedBy(process),
    ...startsOf(process),
    ...activeSince(undefined, { table }, at),
    ...timesAt(undefined, at),
    version: 1,
  }
  requireStartable(template)
  const timed = await retryWithJitter(templates.clock, async (again) => {
    const content = await contentOf(templates, tenant, template, { xml, process, findings })
    return save(templates, caller, template, content, null, again)
  })
  return {
    template: await answerOf(templates, tenant, template, { xml, findings }),
    warnings: describeWarnings([...warnings, ...timed]),
  }
}

/**
 * Merges a change into a template as its next version; running instances keep theirs. A change that alters nothing
 * makes no version. The document is checked when it or the table changes (docs/decisions/0030), and when a draft is
 * activated. Throws TemplateRefused unless it is a draft, and PreconditionFailed when `version` or `If-Match` names another version.
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
    const saved = await requireVersion(templates, tenant, before)
    const xmlBefore = saved.xml
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
    if (isSame) {
      const same = await answerOf(templates, tenant, before, { xml, findings: saved.findings })
      return { template: same, warnings: [] }
    }
    // An unchanged document is not checked again: a process can be switched off even if its table has lost a field.
    const isNewDocument = xml !== xmlBefore || table !== before.table
    const isActivated = isActive && !before.isActive
    // What a draft names was never valid, so it excuses nothing.
    const earlier = table === before.table && saved.findings.length === 0 ? xmlBefore : undefined
    const checked: Checked =
      isNewDocument || isActivated
        ? await checkFor(templates, tenant, { table, xml, isActive, earlier, code: before.code })
        : {
            process: saved.wf && (await templates.openProcess(tenant, id, before.version)),
            wf: saved.wf,
            findings: saved.findings,
            warnings: [],
          }
    const { process, findings } = checked
    const at = isoTime(templates.clock.now())
    const after: Template = {
      ...before,
      name,
      table,
      isAutoStart,
      isActive,
      startCondition: checked.wf?.startCondition ?? null,
      named: process && namedBy(process),
      ...startsOf(process),
      ...activeSince(startsItself(before), { table }, at),
      ...timesAt(before, at),
      version: before.version + 1,
    }
    requireStartable(after)
    const content = { xml, process, findings }
    const pinned = isNewDocument ? await contentOf(templates, tenant, after, content) : content
    const timed = await save(templates, caller, after, pinned, before, again)
    return {
      template: await answerOf(templates, tenant, after, { xml, findings }),
      warnings: describeWarnings([...checked.warnings, ...timed]),
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
    await requireUnused(config, tenant, { kind: 'process', name: template.code })
    const { writes } = await followStartTimers(templates, tenant, template, undefined, caller.userId)
    await config.change(
      tenant,
      [
        removeConfigRow(tenant, 'PROCESS', template.code, template.version),
        ...writes,
        templateEvent(clock, caller, template, undefined),
      ],
      again,
    )
  })
}

/** A template as it is answered after its save. */
const answerOf = async (
  templates: TemplateDependencies,
  tenant: TenantRef,
  template: Template,
  { xml, findings }: Pick<TemplateVersion, 'xml' | 'findings'>,
): Promise<TemplateAnswer> => ({
  ...describeTemplate(template),
  bpmn_xml: xml,
  ...describeFindings(template, findings),
  ...(await describeNextStart(templates, tenant, template)),
})

/** What starts a process besides records and people. */
const startsOf = (process: CompiledProcess | undefined): Pick<Template, 'starts' | 'isTriggered'> => ({
  starts: process?.starts ?? [],
  isTriggered: process?.isTriggered === true,
})

/** Throws Invalid for a process that is to start with records, but starts with messages, signals or timers only. */
function requireStartable(template: Template): void {
  if (template.isAutoStart && template.isTriggered === true)
    throw new Invalid({
      is_auto_start: [`${startsWithOnly(template)}: add a start event without a kind, or leave this out.`],
    })
}

/** A template as one that is active while it starts by itself: it may be active for starts by hand only. */
const startsItself = (one: Template): Template => ({ ...one, isActive: one.isActive && one.isAutoStart })

/** The table that a document names itself. Throws Invalid when it names none, TemplateRefused when it is no BPMN. */
async function tableOfDocument(compile: CompileProcess, xml: string): Promise<string> {
  const compiled = await compile(xml)
  const refused = 'findings' in compiled && (isNoDocument(compiled.findings) || compiled.wf === undefined)
  if (refused) throw new TemplateRefused(compiled.findings)
  const { table } = 'findings' in compiled ? (compiled.wf ?? {}) : compiled.process.wf
  if (table === undefined)
    throw new Invalid({ table: ['The table field is required unless the process says wf:table="...".'] })
  return table
}

interface Checked {
  /** Undefined: it cannot run. */
  readonly process?: CompiledProcess
  /** What the process element says, as far as it was read. */
  readonly wf?: CompiledProcess['wf']
  readonly findings: readonly Finding[]
  readonly warnings: readonly ProcessWarning[]
}

interface Unchecked {
  readonly table: string
  readonly xml: string
  readonly isActive: boolean
  /** The document that this one replaces. */
  readonly earlier?: string
  readonly code: string
}

/**
 * Compiles a document for a table. Throws Invalid for an unknown table, TemplateRefused for a document that cannot run:
 * for a draft only for one that is no BPMN or too large.
 */
async function checkFor(
  templates: TemplateDependencies,
  tenant: Tenant,
  { table: name, xml, isActive, earlier, code }: Unchecked,
): Promise<Checked> {
  const { tables } = templates
  const compile = compileForTenant(templates.compile, tenant, templates.clock.now())
  const table: KnownTable | undefined = await tables.find(tenant, name)
  if (!table) {
    const names = (await tables.all(tenant)).map((one) => one.name)
    throw new Invalid({ table: [`The selected table is invalid: ${thereIsNo('table', name, names)}`] })
  }
  // It may call itself.
  const processes = [{ code, table: name, isActive: true, isTriggered: false }]
  const known = {
    ...configuredNames(templates, tenant, { processes }),
    findTable: (other: string) => tables.find(tenant, other),
  }
  const checked = await checkTemplate(compile, known, table, xml, earlier)
  if (!('findings' in checked)) return { ...checked, wf: checked.process.wf, findings: [] }
  const { findings, wf, warnings = [] } = checked
  if (isActive || isNoDocument(findings)) throw new TemplateRefused(findings)
  return { wf, findings, warnings }
}

/** What is stored of a version; its pinned calls and decisions name the versions of now. */
async function contentOf(
  { config }: Pick<TemplateDependencies, 'config'>,
  tenant: Tenant,
  template: Template,
  { process, ...content }: TemplateVersion,
): Promise<TemplateVersion> {
  if (process === undefined) return content
  const templates = process.calls === undefined ? [] : (await config.listFresh(tenant, 'PROCESS')).map(readTemplate)
  const pinned = await pinDecisions(process, () => freshDecisions(config, tenant))
  return { ...content, process: pinCalls(pinned, template, templates) }
}

/** Whether findings refuse a document even as a draft: it is no BPMN, or larger than what can be stored and checked. */
export const isNoDocument = (findings: readonly Finding[]): boolean =>
  findings.some(({ code }) => code === 'unreadable' || code === 'too_large')

/** Warnings as answers show them. */
export const describeWarnings = (warnings: readonly ProcessWarning[]): Warning[] =>
  warnings.map(({ elementId, code = 'ignored', message }) => ({ element_id: elementId, code, message }))

/**
 * Writes the configuration row, the version, the timers by which it starts, the table's mark that it has processes, and
 * the trail event. Answers what to warn of.
 */
async function save(
  templates: TemplateDependencies,
  caller: Principal,
  template: Template,
  content: TemplateVersion,
  before: Template | null,
  again: (cause: Error) => never,
): Promise<readonly ProcessWarning[]> {
  const { config, clock } = templates
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
  const timers = await followStartTimers(templates, tenant, before ?? undefined, template, userId)
  await config.change(tenant, [first, version, ...binding, ...timers.writes, event], again)
  return timers.warnings
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
