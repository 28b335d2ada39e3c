import type { Incident } from '../rows/incident-row.ts'
import { recordIdOrNull } from '../rows/instance-row.ts'
import type { IncidentAnswer } from '../schema.ts'

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
