import { describeIncidents } from '../../../automation/processes/instances/list-incidents.ts'
import { incidentsOfRecord } from '../../../automation/processes/instances/steps-of-record.ts'
import type { Incident } from '../../../automation/processes/rows/incident-row.ts'
import { publicUrl } from '../../../platform/http/routing/envelope.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { TimelineSource, TimelineSubject } from '../timeline-source.ts'

/** What failed in the processes of a record. */
export function incidentsOf(
  store: Pick<Store, 'get' | 'query' | 'getMany'>,
  { viewer, model, id }: TimelineSubject,
): TimelineSource<Incident> {
  return {
    name: 'incident',
    kind: 'process',
    position: /^\d{4}-\d\d-\d\dT[\d:.]+Z#\d{12}$/,
    async read(from, limit) {
      const { incidents, ...rest } = await incidentsOfRecord(store, viewer.tenant, { model, id }, from, limit)
      return {
        heads: incidents.map(({ sort, incident }) => ({ at: incident.createdAt, position: sort, row: incident })),
        ...rest,
      }
    },
    describe: async (incidents) =>
      (await describeIncidents(store, viewer, model, incidents)).map((incident) => ({
        at: incident.created_at,
        id: `incident.${incident.id}`,
        summary: `Process ${incident.template_code} failed${incident.element_id === null ? '' : ` at ${incident.element_id}`}${incident.status === 'resolved' ? ', resolved since' : ''}`,
        data: incident,
        href: `${publicUrl()}/api/sys/process-instances/${incident.instance_id}`,
      })),
  }
}
