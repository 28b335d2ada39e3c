import { createHash } from 'node:crypto'
import { lruMap } from '../../kernel/collections/lru-map.ts'
import type { VersionMatch } from '../../kernel/failures/concurrent-change.ts'
import { type FieldErrors, Invalid } from '../../kernel/failures/faults.ts'
import type { Warning } from '../../kernel/failures/warning.ts'
import { maxTemplateVersionBytes } from '../../kernel/limits/processes.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { codeOfName } from '../../kernel/text/code-of-name.ts'
import {
  type AdministrationDependencies,
  configuredObject,
} from '../../platform/configured-objects/configured-object.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import { describeTimes } from '../../platform/store/rows/object-row.ts'
import { isNew } from '../../platform/store/writes/conditions.ts'
import { requireUnused } from '../../tables/tables/administration/require-unused.ts'
import {
  type Decision,
  describeInputs,
  findAmong,
  noVersion,
  type OpenModel,
  readXml,
  versionBytes,
  versionItem,
} from './decision.ts'
import type { CompiledDecision } from './definition/compile-decision.ts'
import type { DecisionAnswer, DecisionChange, DecisionHead, DecisionInput, DecisionView } from './schema.ts'

export type CompileDecision = (xml: string, code: string | undefined) => Promise<CompiledDecision>

export interface DecisionDependencies extends AdministrationDependencies {
  /** Loads the compiler with the first document. */
  readonly compile: CompileDecision
  readonly openModel: OpenModel
}

/** What administrators set of a decision. */
interface DecisionMembers {
  readonly code: string
  readonly name: string
  readonly dmn_xml: string
}

const maxCompiled = 20
/** A save asks for the same document several times. */
const compiled = lruMap<string, Promise<CompiledDecision>>(maxCompiled)

const digestOf = (xml: string): string => createHash('sha256').update(xml).digest('base64url')

function compileOnce(compile: CompileDecision, xml: string, code: string): Promise<CompiledDecision> {
  const key = `${code}#${digestOf(xml)}`
  const made = compiled.get(key) ?? compile(xml, code)
  compiled.set(key, made)
  // What was not compiled is tried again.
  made.catch(() => compiled.delete(key))
  return made
}

/** The errors of a decision, by path. */
export async function checkDecision(
  compile: CompileDecision,
  { code, xml }: { readonly code: string; readonly xml: string },
): Promise<FieldErrors> {
  const made = await compileOnce(compile, xml, code)
  if ('problems' in made) return { dmn_xml: [...made.problems] }
  return versionBytes({ xml, model: made.model }) > maxTemplateVersionBytes
    ? { dmn_xml: ['The document is too large: compressed together with its compiled form it may have 380 KB.'] }
    : {}
}

/** What a decision can hardly mean. */
export async function doubtsOf(compile: CompileDecision, code: string, xml: string): Promise<readonly Warning[]> {
  const made = await compileOnce(compile, xml, code)
  return 'problems' in made
    ? []
    : made.warnings.map((message) => ({
        path: 'dmn_xml',
        code: /never (?:matches|reached)/.test(message) ? ('unreachable_rule' as const) : ('ignored' as const),
        message,
      }))
}

const administered = configuredObject<Decision, DecisionMembers, DecisionHead, DecisionInput, DecisionDependencies>({
  kind: 'DECISION',
  sequence: 'sys_decisions',
  called: { one: 'decision', list: 'decisions' },
  members: { code: { unset: '' }, name: {}, dmn_xml: { stored: 'digest' } },
  nameOf: ({ code }) => code,
  documentOf: ({ code, name, digest }) => ({ code, name, digest }),
  requireUnused: ({ config }, tenant, { code }) => requireUnused(config, tenant, { kind: 'decision', name: code }),
  normalize(draft, { before, input }) {
    const code = input.code ?? before?.code ?? codeOfName(draft.name)
    if (code === undefined)
      throw new Invalid({ code: ['The code field is required when the name holds no letters it could be made of.'] })
    return { ...draft, code, digest: input.dmn_xml === undefined ? draft.digest : digestOf(input.dmn_xml) }
  },
  check: async ({ code }, { services, caller, before, input }) => {
    const xml = input.dmn_xml ?? (await currentXml(services, caller.tenant, before))
    return checkDecision(services.compile, { code, xml })
  },
  async seal(one, { services, caller, before, input }) {
    const xml = input.dmn_xml ?? (await currentXml(services, caller.tenant, before))
    return { ...one, inputs: describeInputs(await modelOf(services.compile, xml, one.code)) }
  },
  async alsoWrite({ services, caller: { tenant }, before, input }, after) {
    if (!after) return []
    const xml = input.dmn_xml ?? (await currentXml(services, tenant, before))
    const model = await modelOf(services.compile, xml, after.code)
    return [{ put: versionItem(tenant, after.id, after.version, { xml, model }), if: isNew }]
  },
})

async function modelOf(compile: CompileDecision, xml: string, code: string) {
  const made = await compileOnce(compile, xml, code)
  if ('problems' in made) throw new Error(`a decision was saved that cannot be evaluated: ${made.problems.join(' ')}`)
  return made.model
}

async function currentXml(
  { store }: Pick<DecisionDependencies, 'store'>,
  tenant: Tenant,
  one: Decision | undefined,
): Promise<string> {
  const xml = one && (await readXml(store, tenant, one.id, one.version))
  if (xml === undefined) throw new Error(`there is no version ${one?.version} of the decision ${one?.id}`)
  return xml
}

const describe = ({ id, code, name, inputs, version, ...times }: Decision): DecisionHead => ({
  id,
  code,
  name,
  inputs: [...inputs],
  ...describeTimes(times),
  version,
})

type Services = DecisionDependencies
type By = Pick<Principal, 'tenant'> & { readonly tenant: Tenant }

const fresh = async (services: Services, tenant: Tenant, reference: string): Promise<Decision> =>
  findAmong(await administered.allFresh(services, tenant), reference)

const withXml = async (services: Services, tenant: Tenant, one: Decision): Promise<DecisionAnswer> => ({
  ...describe(one),
  dmn_xml: await currentXml(services, tenant, one),
})

/** The decisions. They are named by their code, or their id. */
export const decisions = {
  ...administered,

  /** One page of the decisions without their documents, newest first unless asked otherwise. */
  async list(services: Services, { tenant }: By, query: ListQuery) {
    const newestFirst = (await administered.all(services, tenant)).toReversed()
    return pageOfWholeList('decisions', newestFirst.map(describe), query)
  },

  /** A decision with the document of its current version, or of a former one. Throws NotFound. */
  async get(services: Services, { tenant }: By, reference: string, { version }: DecisionView): Promise<DecisionAnswer> {
    const one = await fresh(services, tenant, reference)
    if (version === undefined || version === one.version) return withXml(services, tenant, one)
    const xml = await readXml(services.store, tenant, one.id, version)
    const model = await services.openModel(tenant, one.id, version)
    if (xml === undefined || model === undefined) throw noVersion(one, version)
    return { ...describe(one), inputs: describeInputs(model), version, dmn_xml: xml }
  },

  /** Stores a decision as version 1. Throws Invalid, and Conflict for a taken code. */
  async create(services: Services, caller: Principal, input: DecisionInput): Promise<DecisionAnswer> {
    return withXml(services, caller.tenant, await administered.insert(services, caller, input))
  },

  /** Changes a decision, which makes its next version; former ones are kept. Throws NotFound, Invalid and PreconditionFailed. */
  async change(
    services: Services,
    caller: Principal,
    reference: string,
    input: DecisionChange,
    ifMatch?: VersionMatch,
  ): Promise<DecisionAnswer> {
    const { id } = await fresh(services, caller.tenant, reference)
    const { one } = await administered.update(services, caller, id, input, ifMatch)
    return withXml(services, caller.tenant, one)
  },

  /** Deletes a decision that no process names. Its versions are kept: steps that were taken by them can be explained. */
  async remove(services: Services, caller: Principal, reference: string, ifMatch?: VersionMatch): Promise<void> {
    const { id } = await fresh(services, caller.tenant, reference)
    await administered.remove(services, caller, id, ifMatch)
  },

  warnings: ({ compile }: Services, _by: By, { code, dmn_xml: xml }: DecisionAnswer) => doubtsOf(compile, code, xml),
}
