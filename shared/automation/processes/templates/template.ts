import { lruMap } from '../../../kernel/collections/lru-map.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Activated } from '../../../platform/configured-objects/active-since.ts'
import type { ConfigRow, RowTimes } from '../../../platform/store/config.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { processVersionKey } from '../../../platform/store/keys/processes.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import type { NamedByProcess } from '../../../tables/tables/administration/find-uses.ts'
import type { CompiledProcess, Finding } from '../../bpmn/shapes/compiled-process.ts'
import type { StoredGraph } from '../../bpmn/shapes/graph.ts'
import type { OpenProcess } from '../dependencies.ts'
import {
  type FormerProcess,
  readVersionFindings,
  readVersionProcess,
  readVersionXml,
  recompiledVersion,
} from '../rows/version-row.ts'

export const templateSequence = 'sys_process_templates'

/** The settings of a process template: its table, and when it starts. */
export interface Template extends RowTimes, Activated {
  readonly id: number
  /** Identifies it in scripts and in the configuration. */
  readonly code: string
  readonly name: string
  readonly isAutoStart: boolean
  /** JavaScript over the record; checked for auto-starts only. */
  readonly startCondition: string | null
  /** What its document names, so that none of it is deleted. */
  readonly named?: NamedByProcess
  /** What starts it besides records and people. */
  readonly starts?: CompiledProcess['starts']
  /** Nothing else does. */
  readonly isTriggered?: boolean
  /** Every change raises it; running instances keep theirs. */
  readonly version: number
}

export const readTemplate = ({ name, version, doc, createdAt, updatedAt }: ConfigRow): Template => ({
  ...(doc as Omit<Template, 'code' | 'version'>),
  code: name,
  version,
  createdAt,
  updatedAt,
})

export const templateRow = ({ code, version, createdAt, updatedAt, ...doc }: Template): ConfigRow => ({
  name: code,
  version,
  doc,
  createdAt,
  updatedAt,
})

/** The document of a version; undefined when there is no such version. */
export const readXml = async (
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  templateId: number,
  version: number,
): Promise<string | undefined> => (await readVersion(store, tenant, templateId, version))?.xml

/** A version of a template as it is stored. */
export interface StoredVersion {
  readonly xml: string
  /** Undefined: a draft that cannot run yet. */
  readonly wf?: CompiledProcess['wf']
  /** Why it cannot run. */
  readonly findings: readonly Finding[]
}

/** A version with its document, and why it cannot run; undefined when there is no such version. */
export async function readVersion(
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  templateId: number,
  version: number,
): Promise<StoredVersion | undefined> {
  const item = await store.get(tenant, processVersionKey(tenant, templateId, version))
  return item && { xml: readVersionXml(item), wf: readVersionProcess(item)?.wf, findings: readVersionFindings(item) }
}

const cachedVersions = 200

/** Reads something of versions through a cache per instance of the function: a version never changes. */
function versionReader<T>(store: Pick<Store, 'get'>, read: (tenant: TenantRef, item: Item & Key) => T | Promise<T>) {
  const cache = lruMap<string, T>(cachedVersions)
  return async (tenant: TenantRef, templateId: number, version: number): Promise<T> => {
    const cacheKey = `${tenant.id}#${templateId}#${version}`
    const known = cache.get(cacheKey)
    if (known !== undefined) return known
    const key = processVersionKey(tenant, templateId, version)
    const item = await store.get(tenant, key)
    if (!item) throw new Error(`there is no version ${version} of process template ${templateId}`)
    const made = await read(tenant, { ...item, ...key })
    cache.set(cacheKey, made)
    return made
  }
}

/**
 * Reads compiled processes. One that a former version of the service has compiled is compiled anew, once: its graph alone,
 * because the rest is as it was decided when it was saved.
 */
export const compiledProcesses = (
  store: Pick<Store, 'get' | 'write'>,
  recompileGraph: (xml: string) => Promise<StoredGraph>,
): OpenProcess =>
  versionReader(store, async (tenant, item) => {
    const process = runnable(item)
    if (process.v === 2) return process
    const current: CompiledProcess = { ...process, v: 2, graph: await recompileGraph(readVersionXml(item)) }
    // Another worker may have been faster, with the same result; and a row may have no room for both forms.
    await mayFail('keep what a process was compiled to anew', () =>
      wasApplied(store.write(tenant, recompiledVersion(item, current))),
    )
    return current
  })

/** Reads what processes hold, and what goes into what they show. */
export const processReads = (store: Pick<Store, 'get'>) =>
  versionReader(store, (_tenant, item): Pick<CompiledProcess, 'reads' | 'elements'> => runnable(item))

/** Only an active template starts, and one that cannot run is never active. */
function runnable(item: Item & Key): CompiledProcess | FormerProcess {
  const process = readVersionProcess(item)
  if (!process) throw new Error(`version ${item.sk} of the process template ${item.pk} cannot run`)
  return process
}
