import { NotFound } from '../../../kernel/failures/faults.ts'
import { maxFiguredHistories, maxFiguredInstances } from '../../../kernel/limits/processes.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { scanIds } from '../../../platform/listing/scan-ids.ts'
import { instanceKey } from '../../../platform/store/keys/processes.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import type { FiguresAnswer } from '../operations/schema.ts'
import { headAttributes, type Instance, instanceStatuses, readInstanceHead } from '../rows/instance-row.ts'
import { readTemplate } from '../templates/template.ts'
import { readActivityHistory } from './activity-history.ts'
import { instanceSources } from './list-instances.ts'

type FigureDependencies = Pick<AdvanceDependencies, 'store' | 'config'>

const rowsAtOnce = 100
const historiesAtOnce = 10

/**
 * What operators want to know of a template: its newest instances by version and status, what they wait for by element, and
 * how long the elements took in the newest of them. Throws NotFound.
 */
export async function templateFigures(
  { store, config }: FigureDependencies,
  tenant: Tenant,
  id: number,
): Promise<FiguresAnswer> {
  const template = (await config.list(tenant, 'PROCESS', readTemplate)).find((one) => one.id === id)
  if (!template) throw new NotFound('process_template', { id })
  const { instances, isWhole } = await newestInstances(store, tenant, id)
  const histories: Awaited<ReturnType<typeof readActivityHistory>>[] = []
  const read = instances.slice(0, maxFiguredHistories)
  for (let start = 0; start < read.length; start += historiesAtOnce)
    histories.push(
      ...(await Promise.all(
        read.slice(start, start + historiesAtOnce).map((one) => readActivityHistory(store, tenant, one.id)),
      )),
    )
  return {
    template_id: id,
    version: template.version,
    instances: { counted: instances.length, is_exact: isWhole, versions: byVersion(instances) },
    elements: byElement(
      instances,
      histories.flatMap(({ history }) => history),
    ),
    durations: {
      instances: read.length,
      is_exact: isWhole && read.length === instances.length && histories.every((one) => !one.has_more_history),
    },
  }
}

async function newestInstances(store: FigureDependencies['store'], tenant: Tenant, templateId: number) {
  const instances: Instance[] = []
  const { sources } = instanceSources(tenant, { template_id: templateId })
  for await (const page of scanIds(store, tenant, sources, { wanted: maxFiguredInstances + 1 }))
    for (let start = 0; start < page.length; start += rowsAtOnce) {
      const left = maxFiguredInstances - instances.length
      if (left <= 0) return { instances, isWhole: false }
      const keys = page.slice(start, start + Math.min(rowsAtOnce, left)).map((one) => instanceKey(tenant, one))
      const found = await store.getMany(tenant, keys, headAttributes)
      instances.push(...found.filter((item) => item !== undefined).map(readInstanceHead))
    }
  return { instances, isWhole: true }
}

const byVersion = (instances: readonly Instance[]): FiguresAnswer['instances']['versions'] =>
  [...Map.groupBy(instances, ({ templateVersion }) => templateVersion)]
    .toSorted(([a], [b]) => b - a)
    .map(([version, some]) => {
      const count = (status: Instance['status']): number => some.filter((one) => one.status === status).length
      const [running, completed, cancelled, incident, suspended] = instanceStatuses.map(count) as [
        number,
        number,
        number,
        number,
        number,
      ]
      return { version, running, suspended, incident, completed, cancelled }
    })

type Activity = Awaited<ReturnType<typeof readActivityHistory>>['history'][number]

/** Waiting tokens and incidents of all instances that were counted, and durations of the activities that were read. */
export function byElement(
  instances: readonly Pick<Instance, 'waits'>[],
  activities: readonly Activity[],
): FiguresAnswer['elements'] {
  const waits = instances.flatMap((one) => one.waits)
  const completed = Map.groupBy(
    activities.filter(({ status }) => status === 'completed'),
    ({ element_id }) => element_id,
  )
  const ids = new Set([...waits.map(({ elementId }) => elementId), ...completed.keys()])
  return [...ids].toSorted().map((element_id) => {
    const here = waits.filter(({ elementId }) => elementId === element_id)
    const durations = (completed.get(element_id) ?? [])
      .map(({ started_at, ended_at }) => Date.parse(ended_at ?? started_at) - Date.parse(started_at))
      .toSorted((a, b) => a - b)
    return {
      element_id,
      waiting: here.filter(({ kind }) => kind !== 'failed').length,
      incidents: here.filter(({ kind }) => kind === 'failed').length,
      completed: durations.length,
      mean_ms:
        durations.length === 0 ? null : Math.round(durations.reduce((sum, one) => sum + one, 0) / durations.length),
      p95_ms: durations[Math.ceil(durations.length * 0.95) - 1] ?? null,
    }
  })
}
