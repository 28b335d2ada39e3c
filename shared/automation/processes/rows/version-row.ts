import { gzipSync } from 'node:zlib'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { processVersionKey } from '../../../platform/store/keys/processes.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { gunzipJson, gunzipText, gzipJson } from '../../../platform/store/values/pack-json.ts'
import type { CompiledProcess } from '../definition/compiled-process.ts'

/** One version of a template with its document; written once and never changed. */
export interface TemplateVersion {
  readonly xml: string
  readonly process: CompiledProcess
}

export const versionItem = (
  tenant: TenantRef,
  templateId: number,
  version: number,
  { xml, process }: TemplateVersion,
): Item & Key => ({
  ...processVersionKey(tenant, templateId, version),
  kind: 'process_version',
  v: 1,
  xml: gzipSync(xml),
  process: gzipJson(process),
})

/** The BPMN document. */
export const readVersionXml = (item: Item): string => gunzipText(item.xml as Uint8Array)

/** What the document was compiled to. */
export const readVersionProcess = (item: Item): CompiledProcess =>
  gunzipJson<CompiledProcess>(item.process as Uint8Array)
