import type { Viewer } from '../../../kernel/principal.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Incident } from '../rows/incident-row.ts'
import { recordIdOrNull } from '../rows/instance-row.ts'
import type { IncidentAnswer } from '../schema.ts'
import { readSights, type Sight } from './process-sight.ts'

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
export const describeIncident = ({
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
