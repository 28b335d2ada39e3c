import type { Caller } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { RowListQuery } from '../../../platform/http/paging/page-query.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import { listRows, type RowList } from '../../../platform/listing/list-rows.ts'
import type { IdSource } from '../../../platform/listing/scan-ids.ts'
import {
  candidatePartition,
  taskKey,
  taskPartitions,
  tasksOfRecordPartition,
} from '../../../platform/store/keys/processes.ts'
import { slotName, taskSlots } from '../../../platform/store/slots.ts'
import { isMine, needsOwnRight } from '../people/task-rights.ts'
import { readTask, type ShownTask, type Task, taskSequence, type TaskStatus, taskStatuses } from '../rows/task-row.ts'
import type { TaskAnswer, TaskQuery } from '../schema.ts'
import { keepVisible, requireModel, type Visibility } from '../sight/visible-records.ts'
import { type ActingDependencies, peopleOf } from './acting.ts'
import { describeTask, describeTasks } from './describe-task.ts'
import { shownTasks } from './shown-tasks.ts'

/** Lists the tasks that wait for the caller, or those of records that the caller may read; newest first. */
export async function listTasks(
  processes: ActingDependencies & Visibility,
  caller: Caller,
  query: TaskQuery,
): Promise<Page<TaskAnswer>> {
  const { store, clock } = processes
  const { tenant } = caller
  requireModel(query)
  const list =
    query.mine === 'true'
      ? seenTasks(processes, caller, ownTasks(caller, query, await peopleOf(processes, caller)))
      : allTasks(processes, caller, query)
  return listRows<ShownTask, TaskAnswer>(
    store,
    tenant,
    {
      ...list,
      // Before the search, which must not find what is left out.
      keep: async (rows) => shownTasks(processes, caller, await list.keep(rows)),
    },
    (rows) => describeTasks({ store, clock }, tenant, rows),
    query,
  )
}

/** Lists the tasks that wait for the caller because they were asked to do them, and are `wanted`; newest first. */
export const listOwnTasks = async (
  services: ActingDependencies,
  caller: Caller,
  query: RowListQuery,
  wanted: (task: Task) => boolean,
): Promise<Page<TaskAnswer>> => {
  const { store } = services
  const own = ownTasks(caller, { ...query, status: 'pending' }, await peopleOf(services, caller))
  return listRows(
    store,
    caller.tenant,
    {
      ...own,
      sources: own.sources.map((source) => ({ ...source, isExact: false })),
      keep: async (rows) => (await own.keep(rows)).filter((task) => !needsOwnRight(task) && wanted(task)),
    },
    (rows) => describeTasks(services, caller.tenant, rows),
    query,
  )
}

/** A task that waits for the caller because they were asked to do it; undefined for every other. */
export async function findOwnTask(
  services: ActingDependencies,
  caller: Caller,
  id: number,
): Promise<TaskAnswer | undefined> {
  const item = await services.store.get(caller.tenant, taskKey(caller.tenant, id))
  const task = item && readTask(item)
  if (task?.status !== 'pending' || needsOwnRight(task)) return undefined
  const isTheirs = isMine(caller, task) || isMine(caller, task, await peopleOf(services, caller))
  return isTheirs ? describeTask(services, caller.tenant, task) : undefined
}

/** `people`: the caller, and those for whom the caller stands in; of them only what is pending. */
function ownTasks(caller: Caller, query: TaskQuery, people: readonly number[]): RowList<Task> {
  const { tenant, userId, roles, orgUnitIds } = caller
  const { status = 'pending' } = query
  const offered = [
    ...people.map((id) => ({ kind: 'U', id }) as const),
    ...roles.map((id) => ({ kind: 'R', id }) as const),
    ...orgUnitIds.map((id) => ({ kind: 'O', id }) as const),
  ].map((candidate): IdSource => ({ pk: candidatePartition(tenant, candidate) }))
  const whose = status === 'pending' ? people : [userId]
  const assigned = whose.flatMap((assignee) =>
    taskPartitions(tenant, { assignee }).map((pk): IdSource => ({
      pk,
      index: slotName(taskSlots.ofAssignee),
      prefix: `${status}#`,
      // No index has those of one table.
      isExact: query.model === undefined,
    })),
  )
  return {
    ...rowsOf(tenant),
    // A task that has ended is listed for its assignee only.
    sources: status === 'pending' ? [...assigned, ...offered] : assigned,
    keep: (rows) => rows.filter((task) => isMine(caller, task, whose) && matches(task, { ...query, status })),
    isCountable: false,
  }
}

/** The same without tasks that the caller took, whose records they may not read any more. */
const seenTasks = (services: Visibility, caller: Caller, own: RowList<Task>): RowList<Task> => ({
  ...own,
  keep: async (rows) => {
    const kept = await own.keep(rows)
    const taken = kept.filter((task) => task.status === 'pending' && needsOwnRight(task))
    const seen = new Set(await keepVisible(services, caller, taken))
    return kept.filter((task) => !taken.includes(task) || seen.has(task))
  },
})

function allTasks(services: Visibility, caller: Caller, query: TaskQuery): RowList<Task> {
  const { model, record_id } = query
  return {
    ...rowsOf(caller.tenant),
    ...sourcesOf(caller.tenant, query),
    keep: (rows) =>
      keepVisible(
        services,
        caller,
        rows.filter((task) => matches(task, query)),
      ),
    // No index answers a filter on the table alone.
    isCountable: caller.isAdministrator && (model === undefined || record_id !== undefined),
  }
}

const rowsOf = (tenant: TenantRef): Pick<RowList<Task>, 'name' | 'keyOf' | 'read' | 'textsOf'> => ({
  name: 'tasks',
  keyOf: (id) => taskKey(tenant, id),
  read: readTask,
  textsOf: ({ name, elementId, priority, outcome }) => [name, elementId, priority, outcome],
})

function sourcesOf(
  tenant: TenantRef,
  { model, record_id, status }: TaskQuery,
): Pick<RowList<Task>, 'sources' | 'sequence'> {
  const statuses: readonly TaskStatus[] = status === undefined ? taskStatuses : [status]
  if (model !== undefined && record_id !== undefined) {
    const ofRecord = { pk: tasksOfRecordPartition(tenant, model, record_id), index: slotName(taskSlots.ofRecord) }
    return { sources: statuses.map((one) => ({ ...ofRecord, prefix: `${one}#` })) }
  }
  const partitions = statuses.flatMap((one) => taskPartitions(tenant, { status: one }))
  return {
    sources: partitions.map((pk) => ({ pk, index: slotName(taskSlots.byStatus) })),
    sequence: status === undefined ? taskSequence : undefined,
  }
}

const matches = (
  task: Task,
  { model, record_id, status }: Pick<TaskQuery, 'model' | 'record_id' | 'status'>,
): boolean =>
  (model === undefined || task.model === model) &&
  (record_id === undefined || task.recordId === record_id) &&
  (status === undefined || task.status === status)
