import { gzipSync } from 'node:zlib'
import { lruMap } from '../../kernel/collections/lru-map.ts'
import { NotFound } from '../../kernel/failures/faults.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import { didYouMean, listed, shown } from '../../kernel/text/did-you-mean.ts'
import type { Config, RowTimes } from '../../platform/store/config.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { decisionVersionKey, decisionVersionsPartition } from '../../platform/store/keys/processes.ts'
import { readPages } from '../../platform/store/ranges/read-all.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { gunzipJson, gunzipText, gzipJson } from '../../platform/store/values/pack-json.ts'
import type { DecisionModel } from './definition/model.ts'

/** What is kept of a decision beside the documents of its versions. */
export interface Decision extends RowTimes {
  readonly id: number
  readonly code: string
  readonly name: string
  /** Of its document, to tell whether a change changes it. */
  readonly digest: string
  readonly inputs: readonly { readonly name: string; readonly type: string }[]
  readonly version: number
}

const cachedModels = 200

/** Reads what versions were compiled to, through a cache per instance of the function: a version never changes. */
export function decisionModels(store: Pick<Store, 'get'>) {
  const cache = lruMap<string, DecisionModel>(cachedModels)
  return async (tenant: TenantRef, decisionId: number, version: number): Promise<DecisionModel | undefined> => {
    const cacheKey = `${tenant.id}#${decisionId}#${version}`
    const known = cache.get(cacheKey)
    if (known) return known
    const item = await store.get(tenant, decisionVersionKey(tenant, decisionId, version))
    if (!item) return undefined
    const model = readVersionModel(item)
    cache.set(cacheKey, model)
    return model
  }
}
export type OpenModel = ReturnType<typeof decisionModels>

/** The document of a version; undefined when there is no such version. */
export async function readXml(
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  decisionId: number,
  version: number,
): Promise<string | undefined> {
  const item = await store.get(tenant, decisionVersionKey(tenant, decisionId, version))
  return item && readVersionXml(item)
}

/** What a decision is given, with the types of the columns that name an input and nothing else. */
export const describeInputs = ({ inputs, decisions }: DecisionModel): { name: string; type: string }[] =>
  inputs.map(({ name, as, type }) => {
    const columns = decisions.flatMap(({ logic }) => (logic.is === 'table' ? logic.inputs : []))
    const column = columns.find(({ value }) => value.source === as)
    return { name, type: type === 'any' ? (column?.type ?? type) : type }
  })

/** All decisions, cached with the tenant's configuration. */
export const allDecisions = ({ config }: { readonly config: Pick<Config, 'list'> }, tenant: Tenant) =>
  config.list(tenant, 'DECISION', readObject<Decision>)

/** The same from the store. */
export const freshDecisions = async (
  config: Pick<Config, 'listFresh'>,
  tenant: TenantRef,
): Promise<readonly Decision[]> => (await config.listFresh(tenant, 'DECISION')).map((row) => readObject<Decision>(row))

/** The decision with a code, or an id as text, among all. Throws NotFound. */
export function findAmong(all: readonly Decision[], reference: string): Decision {
  const isId = /^\d+$/.test(reference)
  const found = all.find(({ id, code }) => (isId ? String(id) === reference : code === reference))
  if (found) return found
  throw isId
    ? new NotFound('decision', { id: reference })
    : new NotFound('decision', { code: shown(reference) }, noDecision(reference, all))
}

/** `There is no decision with the code x. Did you mean y?` */
export const noDecision = (code: string, all: readonly Pick<Decision, 'code'>[]): string => {
  const codes = all.map((one) => one.code)
  const there = codes.length === 0 ? ' There is none yet.' : ` There are: ${listed(codes)}.`
  return `There is no decision with the code ${shown(code)}.${didYouMean(code, codes) || there}`
}

/** Throws NotFound for a version that there never was. */
export const noVersion = ({ code, version: current }: Decision, version: number): NotFound =>
  new NotFound(
    'decision',
    { code, version },
    `There is no version ${version} of the decision ${code}: ${current === 1 ? 'its only version is 1' : `its versions are 1 to ${current}`}.`,
  )

/** What decisions add to the export of a tenant: the documents of all their versions. */
export async function* archivedDecisions(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  ids: readonly number[],
): AsyncGenerator<object, void, undefined> {
  for (const id of ids)
    for await (const { items } of readPages(store, tenant, { pk: decisionVersionsPartition(tenant, id) }))
      for (const item of items) yield { decision_id: id, version: Number(item.sk), dmn_xml: readVersionXml(item) }
}

/** One version of a decision; written once and never changed. */
interface DecisionVersion {
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

const readVersionXml = (item: Item): string => gunzipText(item.xml as Uint8Array)
const readVersionModel = (item: Item): DecisionModel => gunzipJson<DecisionModel>(item.model as Uint8Array)
