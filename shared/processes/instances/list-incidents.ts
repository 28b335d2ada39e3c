import type { Page } from '../../http/routing/envelope.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { incidentKey, incidentPartition, incidentsByStatusPartition } from '../../store/keys/processes.ts'
import { incidentSlot, slotName } from '../../store/slots.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import { incidentStatuses, readIncident } from '../rows/incident-row.ts'
import type { IncidentAnswer, IncidentQuery } from '../schema.ts'
import { describeIncident } from './describe-incident.ts'
import { listRows, type IdSource } from './list-rows.ts'

/** Lists the incidents of a tenant, newest first. */
export async function listIncidents(
  { store }: Pick<ProcessDependencies, 'store'>,
  tenant: TenantRef,
  query: IncidentQuery,
): Promise<Page<IncidentAnswer>> {
  const { status, model } = query
  const byStatus = (one: string): IdSource => ({
    pk: incidentsByStatusPartition(tenant, one),
    index: slotName(incidentSlot),
  })
  const page = await listRows(
    store,
    tenant,
    {
      name: 'incidents',
      sources:
        status === undefined
          ? [...incidentStatuses.map(byStatus), { pk: incidentPartition(tenant), isHead: true }]
          : [byStatus(status)],
      keyOf: (id) => incidentKey(tenant, id),
      read: readIncident,
      keep: (rows) =>
        rows.filter(
          (one) => (model === undefined || one.model === model) && (status === undefined || one.status === status),
        ),
      isCountable: model === undefined,
    },
    query,
  )
  return { ...page, items: page.items.map(describeIncident) }
}
