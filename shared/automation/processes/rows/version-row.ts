import { gzipSync } from 'node:zlib'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { processVersionKey } from '../../../platform/store/keys/processes.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { gunzipJson, gunzipText, gzipJson } from '../../../platform/store/values/pack-json.ts'
import type { CompiledProcess, Finding } from '../../bpmn/shapes/compiled-process.ts'

/** One version of a template with its document; written once and never changed. */
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
  ...(process && { process: gzipJson(process) }),
  ...(findings.length > 0 && { findings: gzipJson(findings) }),
})

/** The BPMN document. */
export const readVersionXml = (item: Item): string => gunzipText(item.xml as Uint8Array)

/** What the document was compiled to; undefined for a draft that cannot run yet. */
export const readVersionProcess = (item: Item): CompiledProcess | undefined =>
  item.process === undefined ? undefined : gunzipJson<CompiledProcess>(item.process as Uint8Array)

/** Why the document cannot run. */
export const readVersionFindings = (item: Item): readonly Finding[] =>
  item.findings !== undefined ? gunzipJson<readonly Finding[]>(item.findings as Uint8Array) : []
