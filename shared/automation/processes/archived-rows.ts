import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import {
  activitiesPrefix,
  incidentKey,
  instanceKey,
  instanceRowsPartition,
  operationsPrefix,
  processVersionsPartition,
  taskKey,
} from '../../platform/store/keys/processes.ts'
import { readAll, readPages } from '../../platform/store/ranges/read-all.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { readActivities, readDecisions } from './rows/activities-row.ts'
import { readIncident } from './rows/incident-row.ts'
import { type Instance, readInstance, recordIdOrNull } from './rows/instance-row.ts'
import { type OperationOutcome, readOperation } from './rows/operation-row.ts'
import { readTask } from './rows/task-row.ts'
import { readVersionXml } from './rows/version-row.ts'

/*
 * What processes add to the export of a tenant: everything that people would miss, and nothing that only the engine
 * reads.
 */

type Rows = Promise<readonly object[]>
type Reads = Pick<Store, 'getMany' | 'query'>

/** The documents of all versions of templates, one after the other: a template may have hundreds of a megabyte. */
export async function* archivedVersions(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  ids: readonly number[],
): AsyncGenerator<object, void, undefined> {
  for (const id of ids)
    for await (const { items } of readPages(store, tenant, { pk: processVersionsPartition(tenant, id) }))
      for (const item of items) yield { template_id: id, version: Number(item.sk), bpmn_xml: readVersionXml(item) }
}

/** Instances that are read at the same time. */
const instancesAtOnce = 10

/** Instances with their variables, what happened to their activities, and what operators did to them. */
export async function* archivedInstances(
  { store, fetchObject }: { readonly store: Reads; readonly fetchObject: (key: string) => Promise<Uint8Array> },
  tenant: TenantRef,
  ids: readonly number[],
): AsyncGenerator<object, void, undefined> {
  const items = await existing(store, tenant, ids, instanceKey)
  for (let start = 0; start < items.length; start += instancesAtOnce)
    yield* await Promise.all(
      items.slice(start, start + instancesAtOnce).map(async (item) => {
        const instance = await readInstance(item, fetchObject)
        const pk = instanceRowsPartition(tenant, instance.id)
        const [steps, operations] = await Promise.all([
          readAll(store, tenant, { pk, prefix: activitiesPrefix }),
          readAll(store, tenant, { pk, prefix: operationsPrefix }),
        ])
        return {
          ...instanceRow(instance),
          activities: steps.flatMap(readActivities),
          decisions: steps.flatMap(readDecisions),
          operations: operations.map(readOperation).flatMap(operationRow),
        }
      }),
    )
}

/** What an operator did; nothing for what was refused. */
const operationRow = ({ action, by, at, details, refusal }: OperationOutcome): object[] =>
  refusal === undefined ? [{ action, by: by.userId, at, details }] : []

const instanceRow = (instance: Instance): object => ({
  id: instance.id,
  template_id: instance.templateId,
  template_version: instance.templateVersion,
  code: instance.code,
  model: instance.model,
  record_id: recordIdOrNull(instance.recordId),
  status: instance.status,
  variables: instance.variables,
  started_by: instance.startedBy,
  started_at: instance.startedAt,
  ended_at: instance.endedAt,
  source: instance.source,
  parent_id: instance.caller?.instanceId ?? null,
})

export async function archivedTasks(store: Reads, tenant: TenantRef, ids: readonly number[]): Rows {
  return (await existing(store, tenant, ids, taskKey)).map((item) => snakeCase(readTask(item)))
}

export async function archivedIncidents(store: Reads, tenant: TenantRef, ids: readonly number[]): Rows {
  return (await existing(store, tenant, ids, incidentKey)).map((item) => snakeCase(readIncident(item)))
}

const existing = async (
  store: Reads,
  tenant: TenantRef,
  ids: readonly number[],
  keyOf: (tenant: TenantRef, id: number) => Key,
): Promise<Item[]> =>
  (
    await store.getMany(
      tenant,
      ids.map((id) => keyOf(tenant, id)),
    )
  ).filter((item) => item !== undefined)

/** The members with the names of the API. */
const snakeCase = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value as unknown,
    ]),
  )
