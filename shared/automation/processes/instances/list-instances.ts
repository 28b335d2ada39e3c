import type { Caller } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import { listRows, type RowList } from '../../../platform/listing/list-rows.ts'
import {
  instanceKey,
  instanceOfRecordPrefix,
  instancePartitions,
  processesOfRecordPartition,
} from '../../../platform/store/keys/processes.ts'
import { instanceSlots, slotName } from '../../../platform/store/slots.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import {
  headAttributes,
  type Instance,
  instanceSequence,
  instanceStatuses,
  readInstanceHead,
} from '../rows/instance-row.ts'
import type { InstanceHead, InstanceQuery } from '../schema.ts'
import { keepVisible, requireModel, type Visibility } from '../sight/visible-records.ts'
import { describeInstances } from './describe-instance.ts'

/** Lists the instances whose record the caller may read, newest first. */
export async function listInstances(
  processes: Pick<ProcessDependencies, 'store' | 'config'> & Visibility,
  caller: Caller,
  query: InstanceQuery,
): Promise<Page<InstanceHead>> {
  const { store } = processes
  const { tenant } = caller
  requireModel(query)
  const { model, record_id, status, template_id } = query
  const filters = [model, status, template_id].filter((one) => one !== undefined).length
  return listRows<Instance, InstanceHead>(
    store,
    tenant,
    {
      name: 'instances',
      ...instanceSources(tenant, query),
      keyOf: (id) => instanceKey(tenant, id),
      attributes: headAttributes,
      read: readInstanceHead,
      textsOf: (one) => [one.code, one.model],
      keep: (rows) =>
        keepVisible(
          processes,
          caller,
          rows.filter(
            (one) =>
              (model === undefined || one.model === model) &&
              (record_id === undefined || one.recordId === record_id) &&
              (status === undefined || one.status === status) &&
              (template_id === undefined || one.templateId === template_id),
          ),
        ),
      // No index answers a filter on the table alone, or more than one filter.
      isCountable:
        caller.isAdministrator &&
        (filters === 0 || (filters === 1 && (model === undefined || record_id !== undefined))),
    },
    (rows) => describeInstances(processes, tenant, rows),
    query,
  )
}

/** The keys to read: of the filter that leaves the fewest instances. */
export function instanceSources(
  tenant: TenantRef,
  { model, record_id, status, template_id }: Pick<InstanceQuery, 'model' | 'record_id' | 'status' | 'template_id'>,
): Pick<RowList<Instance>, 'sources' | 'sequence'> {
  if (model !== undefined && record_id !== undefined)
    return { sources: [{ pk: processesOfRecordPartition(tenant, model, record_id), prefix: instanceOfRecordPrefix }] }
  if (template_id !== undefined) {
    const index = slotName(instanceSlots.ofTemplate)
    return { sources: instancePartitions(tenant, { templateId: template_id }).map((pk) => ({ pk, index })) }
  }
  const statuses = status === undefined ? instanceStatuses : [status]
  const partitions = statuses.flatMap((one) => instancePartitions(tenant, { status: one }))
  return {
    sources: partitions.map((pk) => ({ pk, index: slotName(instanceSlots.byStatus) })),
    sequence: status === undefined ? instanceSequence : undefined,
  }
}
