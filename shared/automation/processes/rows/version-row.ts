import { gzipSync } from 'node:zlib'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { processVersionKey } from '../../../platform/store/keys/processes.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { gunzipJson, gunzipText, gzipJson } from '../../../platform/store/values/pack-json.ts'
import { and, exists, lacks } from '../../../platform/store/writes/conditions.ts'
import type { CompiledProcess, Finding } from '../../bpmn/shapes/compiled-process.ts'

/** One version of a template with its document; it never changes. */
export interface TemplateVersion {
  readonly xml: string
  /** Undefined: a draft that cannot run yet. */
  readonly process?: CompiledProcess
  /** Why it cannot run. */
  readonly findings: readonly Finding[]
}

export const versionItem = (
  tenant: TenantRef,
  templateId: number,
  version: number,
  { xml, process, findings }: TemplateVersion,
): Item & Key => ({
  ...processVersionKey(tenant, templateId, version),
  kind: 'process_version',
  v: 1,
  xml: gzipSync(xml),
  ...(process && { compiled: gzipJson(process) }),
  ...(findings.length > 0 && { findings: gzipJson(findings) }),
})

/** The BPMN document. */
export const readVersionXml = (item: Item): string => gunzipText(item.xml as Uint8Array)

/** What a document was compiled to in the form of a former version, which kept no graph that we read. */
export type FormerProcess = Omit<CompiledProcess, 'v' | 'graph'> & { readonly v: 1 }

/** What the document was compiled to; undefined for a draft that cannot run yet. */
export function readVersionProcess(item: Item): CompiledProcess | FormerProcess | undefined {
  if (item.compiled !== undefined) return gunzipJson<CompiledProcess>(item.compiled as Uint8Array)
  return item.process === undefined ? undefined : gunzipJson<FormerProcess>(item.process as Uint8Array)
}

/**
 * Keeps what a version was compiled to anew, beside the former form, which former versions of the service go on reading.
 */
export const recompiledVersion = (key: Key, process: CompiledProcess): Write => ({
  update: key,
  change: { expression: 'SET compiled = :compiled', values: { ':compiled': gzipJson(process) } },
  if: and(exists, lacks('compiled')),
})

/** Why the document cannot run. */
export const readVersionFindings = (item: Item): readonly Finding[] =>
  item.findings !== undefined ? gunzipJson<readonly Finding[]>(item.findings as Uint8Array) : []
