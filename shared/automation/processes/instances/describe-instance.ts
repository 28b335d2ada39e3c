import { namesOf } from '../../../accounts/people/user.ts'
import { own } from '../../../kernel/collections/own-members.ts'
import { maxShownIncidents } from '../../../kernel/limits/processes.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { incidentKey, incidentsOfInstancePartition } from '../../../platform/store/keys/processes.ts'
import { incidentOfInstanceSlot, slotName } from '../../../platform/store/slots.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { innerScopes } from '../../bpmn/engine/stored-state.ts'
import { openAdHocsOf } from '../../bpmn/process.ts'
import type { CompiledProcess } from '../../bpmn/shapes/compiled-process.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { type Incident, readIncident } from '../rows/incident-row.ts'
import { hasEnded, type Instance, noRecord, type OpenWait, readInstance, recordIdOrNull } from '../rows/instance-row.ts'
import type { ShownTask, Task } from '../rows/task-row.ts'
import { tasksOf } from '../rows/tasks-of-waits.ts'
import type { InstanceAnswer, InstanceHead } from '../schema.ts'
import { readSights, type Sight, sightOf } from '../sight/process-sight.ts'
import { personOf } from '../tasks/describe-task.ts'
import { shownTasks } from '../tasks/shown-tasks.ts'
import { templateNames } from '../templates/describe-template.ts'
import { readActivityHistory } from './activity-history.ts'
import { describeRelatives, describeTemplateOf, openIncidents } from './describe-relatives.ts'
import { describeIncidentTo } from './list-incidents.ts'
import { listOperations } from './list-operations.ts'
import { showDecision } from './show-decision.ts'

type DescribeDependencies = Pick<AdvanceDependencies, 'store' | 'clock' | 'config' | 'objects' | 'openProcess'>

/** Instances in the shape of lists, with the current names of templates and users. */
export async function describeInstances(
  { store, config }: Pick<DescribeDependencies, 'store' | 'config'>,
  tenant: Tenant,
  instances: readonly Instance[],
): Promise<InstanceHead[]> {
  const [templates, people] = await Promise.all([
    templateNames(config, tenant),
    namesOf(
      store,
      tenant,
      instances.flatMap(({ startedBy }) => startedBy || []),
    ),
  ])
  return instances.map((one) => ({
    id: one.id,
    status: one.status,
    template: describeTemplateOf(one, templates),
    model: one.model,
    record_id: recordIdOrNull(one.recordId),
    source: one.source,
    parent_id: one.caller?.instanceId ?? null,
    started_by: one.startedBy === 0 ? null : personOf(people, one.startedBy),
    started_at: one.startedAt,
    ended_at: one.endedAt,
  }))
}

/** One instance in the shape of the API, as the caller may see it: its row with tokens, variables, history and incidents. */
export async function describeInstance(
  services: DescribeDependencies,
  caller: Caller,
  item: Item,
): Promise<InstanceAnswer> {
  const { tenant } = caller
  const { objects, openProcess } = services
  const instance = await readInstance(item, objects.fetchObject)
  const [[head], relatives, compiled, history, found, stored, operations] = await Promise.all([
    describeInstances(services, tenant, [instance]),
    describeRelatives(services, tenant, instance),
    openProcess(tenant, instance.templateId, instance.templateVersion),
    readActivityHistory(services.store, tenant, instance.id),
    incidentsOf(services, tenant, instance),
    tasksOf(services.store, tenant, instance.waits),
    listOperations(services.store, tenant, instance.id),
  ])
  const sight = sightOf(caller, instance, compiled)
  const tasks = new Map((await shownTasks(services, caller, [...stored.values()])).map((task) => [task.id, task]))
  const others = found.flatMap(({ instanceId }) => (instanceId === instance.id ? [] : [instanceId]))
  const sightOfCalled = await readSights(services.store, caller, instance.model, others)
  const incidents = found.map((one) =>
    describeIncidentTo(one.instanceId === instance.id ? sight : sightOfCalled(one.instanceId), one),
  )
  return {
    ...(head as InstanceHead),
    ...relatives,
    tokens: [
      ...instance.waits
        .filter((wait) => isOpen(wait, tasks))
        .map((wait) => describeWait(wait, instance.recordId, compiled, { tasks, incidents, sight })),
      ...failedSteps(instance, compiled, incidents),
    ],
    ...shownVariables(sight, instance.variables),
    scopes: innerScopes(instance.state).map(({ executionId, elementId, variables }) => ({
      element_id: elementId,
      execution_id: executionId,
      ...shownVariables(sight, variables),
    })),
    history: history.history.map((entry) => {
      const decision = history.decisions.get(entry.execution_id)
      return {
        ...(entry.status === 'active' && hasEnded(instance) ? endedWith(instance, entry) : entry),
        ...(decision && {
          decision: showDecision(caller, instance.model, decision, !sight.hides(entry.element_id, 'decided')),
        }),
      }
    }),
    has_more_history: history.has_more_history,
    operations,
    incidents,
    ad_hoc: describeAdHocs(instance, compiled),
  }
}

type Activity = InstanceAnswer['history'][number]

/** What stood when an instance was cancelled has ended with it: its last step has no events of its own. */
const endedWith = ({ endedAt }: Instance, entry: Activity): Activity => ({
  ...entry,
  status: 'cancelled',
  ended_at: endedAt,
})

function describeAdHocs({ state }: Instance, compiled: CompiledProcess): InstanceAnswer['ad_hoc'] {
  if (!Object.values(compiled.elements).some(({ type }) => type === 'adHocSubProcess')) return []
  return openAdHocsOf(compiled, state).map(({ elementId, executionId, activities }) => ({
    element_id: elementId,
    execution_id: executionId,
    activities: activities.map((id) => ({ element_id: id, name: own(compiled.elements, id)?.name ?? null })),
  }))
}

/** A completed task is no token, also while its step waits for a retry. */
const isOpen = (wait: OpenWait, tasks: ReadonlyMap<number, Task>): boolean =>
  wait.kind !== 'task' || tasks.get(wait.taskId)?.status !== 'completed'

function describeWait(
  wait: OpenWait,
  recordId: number,
  { elements }: CompiledProcess,
  {
    tasks,
    incidents,
    sight,
  }: {
    readonly tasks: ReadonlyMap<number, ShownTask>
    readonly incidents: InstanceAnswer['incidents']
    readonly sight: Sight
  },
): InstanceAnswer['tokens'][number] {
  const { elementId } = wait
  const { name = null, type = '' } = own(elements, elementId) ?? {}
  if (wait.kind === 'event') {
    const { on, name: eventName, key } = wait
    return {
      element_id: elementId,
      name,
      type,
      kind: on === 'conditional' ? 'condition' : on,
      ...(eventName !== undefined && { event: eventName }),
      ...(on === 'message' && (sight.hides(elementId, 'correlation_key') ? isHidden : correlationOf(key, recordId))),
    }
  }
  const token = { element_id: elementId, name, type, kind: wait.kind }
  if (wait.kind === 'call') return { ...token, called_id: wait.instanceId }
  if (wait.kind === 'timer')
    return { ...token, ...(sight.hides(elementId, 'due_at') ? isHidden : { due_at: wait.dueAt }) }
  if (wait.kind === 'failed') {
    const incident = incidents.find(({ id }) => id === wait.incidentId)
    return { ...token, ...(incident && { since: incident.created_at }), incident_id: wait.incidentId }
  }
  const task = tasks.get(wait.taskId)
  return {
    ...token,
    ...(task && { name: task.name, since: task.createdAt }),
    ...(task && task.dueAt !== null && { due_at: task.dueAt }),
    ...(task?.isHidden && isHidden),
    task_id: wait.taskId,
  }
}

const isHidden = { is_hidden: true } as const

/** Variables without those that a viewer does not see. */
function shownVariables(sight: Sight, variables: Readonly<Record<string, unknown>>) {
  const all = Object.entries(variables)
  const shown = all.filter(([name]) => !sight.hidesVariable(name))
  return { variables: Object.fromEntries(shown), ...(shown.length < all.length && isHidden) }
}

const correlationOf = (key: string | undefined, recordId: number) =>
  key === undefined && recordId === noRecord ? {} : { correlation_key: key ?? String(recordId) }

/** Steps that failed as a whole, at the elements where they did. */
const failedSteps = (
  { stepIncidents }: Instance,
  { elements }: CompiledProcess,
  incidents: InstanceAnswer['incidents'],
): InstanceAnswer['tokens'] =>
  incidents.flatMap(({ id, element_id, created_at }) => {
    if (element_id === null || !stepIncidents.includes(id)) return []
    const { name = null, type = '' } = own(elements, element_id) ?? {}
    return { element_id, name, type, kind: 'failed', since: created_at, incident_id: id }
  })

/** Newest first. The instances list their open incidents themselves, because the index may lag behind. */
async function incidentsOf(
  { store }: Pick<DescribeDependencies, 'store'>,
  tenant: Tenant,
  instance: Instance,
): Promise<readonly Incident[]> {
  const { id } = instance
  const open = await openIncidents(store, tenant, instance)
  const index = slotName(incidentOfInstanceSlot)
  const { items: known } = await store.query(tenant, {
    pk: incidentsOfInstancePartition(tenant, id),
    index,
    reverse: true,
    limit: maxShownIncidents,
  })
  const ids = [...new Set([...open, ...known.map(({ sk }) => Number(sk))])].sort((a, b) => b - a)
  const items =
    ids.length === 0
      ? []
      : await store.getMany(
          tenant,
          ids.map((one) => incidentKey(tenant, one)),
        )
  return items.filter((item) => item !== undefined).map(readIncident)
}
