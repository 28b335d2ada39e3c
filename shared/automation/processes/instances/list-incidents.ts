import type { Viewer } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import { listRows } from '../../../platform/listing/list-rows.ts'
import { incidentKey, incidentPartitions } from '../../../platform/store/keys/processes.ts'
import { incidentSlot, slotName } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import { type Incident, incidentSequence, incidentStatuses, readIncident } from '../rows/incident-row.ts'
import { recordIdOrNull } from '../rows/instance-row.ts'
import type { IncidentAnswer, IncidentQuery } from '../schema.ts'
import { readSights, type Sight } from '../sight/process-sight.ts'

/** Lists the incidents of a tenant, newest first. */
export async function listIncidents(
  { store }: Pick<ProcessDependencies, 'store'>,
  tenant: TenantRef,
  query: IncidentQuery,
): Promise<Page<IncidentAnswer>> {
  const { status, model } = query
  const statuses = status === undefined ? incidentStatuses : [status]
  return listRows(
    store,
    tenant,
    {
      name: 'incidents',
      sources: statuses
        .flatMap((one) => incidentPartitions(tenant, one))
        .map((pk) => ({ pk, index: slotName(incidentSlot) })),
      sequence: status === undefined ? incidentSequence : undefined,
      keyOf: (id) => incidentKey(tenant, id),
      read: readIncident,
      textsOf: (one) => [one.code, one.model, one.elementId, one.message],
      keep: (rows) =>
        rows.filter(
          (one) => (model === undefined || one.model === model) && (status === undefined || one.status === status),
        ),
      isCountable: model === undefined,
    },
    (rows) => rows.map(describeIncident),
    query,
  )
}

/** In place of the message of an incident that may tell of fields. */
const hiddenMessage = 'It may tell of fields that you may not read. Ask an administrator what failed.'

/** Incidents of instances about records of one table, as a viewer sees them. */
export async function describeIncidents(
  store: Pick<Store, 'get' | 'getMany'>,
  viewer: Viewer,
  model: string,
  incidents: readonly Incident[],
): Promise<IncidentAnswer[]> {
  const sights = await readSights(
    store,
    viewer,
    model,
    incidents.map(({ instanceId }) => instanceId),
  )
  return incidents.map((one) => describeIncidentTo(sights(one.instanceId), one))
}

/** An incident in the shape of the API, as a reader sees it. */
export const describeIncidentTo = (sight: Sight, incident: Incident): IncidentAnswer => {
  const { elementId } = incident
  const isHidden = elementId === null ? sight.hidesUnknown : sight.hides(elementId, 'message')
  return { ...describeIncident(incident), ...(isHidden && { message: hiddenMessage, is_hidden: true as const }) }
}

/** An incident in the shape of the API. */
const describeIncident = ({
  id,
  instanceId,
  code,
  model,
  recordId,
  elementId,
  message,
  status,
  createdAt,
  resolvedAt,
}: Incident): IncidentAnswer => ({
  id,
  instance_id: instanceId,
  template_code: code,
  model,
  record_id: recordIdOrNull(recordId),
  element_id: elementId,
  message,
  status,
  created_at: createdAt,
  resolved_at: resolvedAt,
})
