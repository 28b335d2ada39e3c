import { maxShownCalled, maxShownIncidents } from '../../../kernel/limits/processes.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { calledInstancePrefix, instanceKey, instanceRowsPartition } from '../../../platform/store/keys/processes.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import { type Instance, readInstanceHead } from '../rows/instance-row.ts'
import { readCalledInstance } from '../rows/start-rows.ts'
import type { InstanceAnswer, InstanceHead } from '../schema.ts'
import { templateNames } from '../templates/describe-template.ts'

/** The template of an instance, with its current name. */
export const describeTemplateOf = (
  { templateId: id, templateVersion: version, code }: Instance,
  names: ReadonlyMap<number, string>,
): InstanceHead['template'] => ({ id, code, name: names.get(id) ?? code, version })

/** The instance that has called this one, and that it has called. */
export async function describeRelatives(
  { store, config }: Pick<ProcessDependencies, 'store' | 'config'>,
  tenant: Tenant,
  { id, caller }: Instance,
): Promise<Pick<InstanceAnswer, 'parent' | 'called'>> {
  const [parent, called] = await Promise.all([
    caller === undefined ? undefined : store.get(tenant, instanceKey(tenant, caller.instanceId)),
    readCalled(store, tenant, id),
  ])
  if (parent === undefined && called.length === 0) return { parent: null, called: [] }
  const names = await templateNames(config, tenant)
  const above = parent && readInstanceHead(parent)
  return {
    parent:
      caller === undefined || above === undefined
        ? null
        : {
            id: above.id,
            element_id: caller.elementId,
            status: above.status,
            template: describeTemplateOf(above, names),
          },
    called: called.map((one) => ({
      id: one.id,
      element_id: one.caller?.elementId ?? '',
      status: one.status,
      template: describeTemplateOf(one, names),
      started_at: one.startedAt,
      ended_at: one.endedAt,
    })),
  }
}

/** The newest instances that an instance has called, newest first. */
async function readCalled(
  store: ProcessDependencies['store'],
  tenant: Tenant,
  instanceId: number,
): Promise<readonly Instance[]> {
  const { items } = await store.query(tenant, {
    pk: instanceRowsPartition(tenant, instanceId),
    prefix: calledInstancePrefix,
    reverse: true,
    limit: maxShownCalled,
  })
  if (items.length === 0) return []
  const found = await store.getMany(
    tenant,
    items.map((item) => instanceKey(tenant, readCalledInstance(item))),
  )
  return found.filter((item) => item !== undefined).map(readInstanceHead)
}

/** The open incidents of an instance, and of what it calls. */
export async function openIncidents(
  store: ProcessDependencies['store'],
  tenant: Tenant,
  instance: Instance,
): Promise<readonly number[]> {
  const open: number[] = []
  for (let level: readonly Instance[] = [instance]; level.length > 0;) {
    open.push(
      ...level.flatMap(({ stepIncidents, waits }) => [
        ...stepIncidents,
        ...waits.flatMap((wait) => (wait.kind === 'failed' ? [wait.incidentId] : [])),
      ]),
    )
    const below = level.flatMap(({ waits }) =>
      waits.flatMap((wait) => (wait.kind === 'call' && wait.hasIncident ? [wait.instanceId] : [])),
    )
    if (below.length === 0 || open.length >= maxShownIncidents) break
    const found = await store.getMany(
      tenant,
      below.slice(0, maxShownIncidents).map((id) => instanceKey(tenant, id)),
    )
    level = found.filter((item) => item !== undefined).map(readInstanceHead)
  }
  return open
}
