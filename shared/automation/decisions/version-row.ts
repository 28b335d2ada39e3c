import { gzipSync } from 'node:zlib'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { decisionVersionKey } from '../../platform/store/keys/processes.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { gunzipJson, gunzipText, gzipJson } from '../../platform/store/values/pack-json.ts'
import type { DecisionModel } from './definition/model.ts'

/** One version of a decision; written once and never changed. */
export interface DecisionVersion {
  readonly xml: string
  readonly model: DecisionModel
}

export const versionItem = (
  tenant: TenantRef,
  decisionId: number,
  version: number,
  { xml, model }: DecisionVersion,
): Item & Key => ({
  ...decisionVersionKey(tenant, decisionId, version),
  kind: 'decision_version',
  v: 1,
  xml: gzipSync(xml),
  model: gzipJson(model),
})

/** How many bytes a version takes. */
export const versionBytes = ({ xml, model }: DecisionVersion): number => gzipSync(xml).length + gzipJson(model).length

export const readVersionXml = (item: Item): string => gunzipText(item.xml as Uint8Array)
export const readVersionModel = (item: Item): DecisionModel => gunzipJson<DecisionModel>(item.model as Uint8Array)
