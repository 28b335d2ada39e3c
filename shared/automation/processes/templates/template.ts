import { lruMap } from '../../../kernel/collections/lru-map.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Activated } from '../../../platform/configured-objects/active-since.ts'
import type { ConfigRow, RowTimes } from '../../../platform/store/config.ts'
import { processVersionKey } from '../../../platform/store/keys/processes.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { NamedByProcess } from '../../../tables/tables/administration/find-uses.ts'
import type { CompiledProcess } from '../../bpmn/shapes/compiled-process.ts'
import { readVersionFindings, readVersionProcess, readVersionXml, type TemplateVersion } from '../rows/version-row.ts'

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

/** A version with what it was compiled to, or why it cannot run; undefined when there is no such version. */
export async function readVersion(
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  templateId: number,
  version: number,
): Promise<TemplateVersion | undefined> {
  const item = await store.get(tenant, processVersionKey(tenant, templateId, version))
  return item && { xml: readVersionXml(item), process: readVersionProcess(item), findings: readVersionFindings(item) }
}

const cachedVersions = 200

/** Reads compiled processes through a cache per instance of the function: a version never changes. */
export function compiledProcesses(store: Pick<Store, 'get'>) {
  const cache = lruMap<string, CompiledProcess>(cachedVersions)
  return async (tenant: TenantRef, templateId: number, version: number): Promise<CompiledProcess> => {
    const cacheKey = `${tenant.id}#${templateId}#${version}`
    const known = cache.get(cacheKey)
    if (known) return known
    const item = await store.get(tenant, processVersionKey(tenant, templateId, version))
    if (!item) throw new Error(`there is no version ${version} of process template ${templateId}`)
    const process = readVersionProcess(item)
    // Only an active template starts, and one that cannot run is never active.
    if (!process) throw new Error(`version ${version} of process template ${templateId} cannot run`)
    cache.set(cacheKey, process)
    return process
  }
}
