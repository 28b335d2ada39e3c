import { own } from '../../../kernel/collections/own-members.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { keyOfItem } from '../../../platform/store/keys/key.ts'
import {
  activitiesPrefix,
  allTaskPeoplePrefix,
  instanceRowsPartition,
  parseTaskPeople,
  taskKey,
} from '../../../platform/store/keys/processes.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { exists } from '../../../platform/store/writes/conditions.ts'
import type { Mapping } from '../../bpmn/changes/migrate-state.ts'
import { scopesAround } from '../../bpmn/engine/stored-state.ts'
import type { CompiledProcess } from '../../bpmn/shapes/compiled-process.ts'
import { peopleOfCompletion } from '../people/people-of-completion.ts'
import { readActivities } from '../rows/activities-row.ts'
import type { StepRow } from '../rows/command-rows.ts'
import type { Instance } from '../rows/instance-row.ts'
import { readTaskPeople, taskPeopleItem } from '../rows/task-people-row.ts'
import { isUnchangedPending, readTask, type ScopeRef, type Task, taskItem } from '../rows/task-row.ts'

type Reads = Pick<Store, 'query' | 'getMany'>

/** Two versions of a process, and what takes the place of what. */
interface Versions {
  readonly from: CompiledProcess
  readonly to: CompiledProcess
  readonly mapping: Mapping
  readonly version: number
}

/** What a migration does to who counts for `wf:fourEyes`. */
export interface FourEyesPlan {
  readonly rows: readonly StepRow[]
  /** By element: whose completions count there from then on. */
  readonly carried: readonly { readonly element_id: string; readonly to_element_id: string; readonly tasks: number }[]
  readonly warnings: readonly string[]
}

/** A completed task, and who counts as having done it. */
interface Completion {
  readonly elementId: string
  readonly taskId: number
  readonly name: string | null
  readonly people: readonly number[]
  readonly scopes: readonly ScopeRef[]
  /** Its row, where it was noted. */
  readonly noted?: Item
}

/**
 * Carries who has completed which task to the elements of the other version: what is renamed, and what only the new version
 * names in `wf:fourEyes`. Warns of completions that no element of the new version stands for.
 */
export async function carryFourEyes(
  store: Reads,
  tenant: TenantRef,
  { id: instanceId }: Pick<Instance, 'id'>,
  { from, to, mapping, version }: Versions,
): Promise<FourEyesPlan> {
  const mapped = (elementId: string): string => own(mapping, elementId) ?? elementId
  const namedBefore = new Set(fourEyesOf(from))
  const named = new Set(fourEyesOf(to))
  const unnoted = Object.keys(from.tasks).filter((one) => !namedBefore.has(one) && named.has(mapped(one)))
  const noted = await notedCompletions(store, tenant, instanceId)
  const completions = [
    ...noted,
    ...(unnoted.length === 0 ? [] : await completionsAt(store, tenant, instanceId, new Set(unnoted), noted)),
  ]
  const rows = completions.flatMap((one): StepRow[] => {
    const scopes = one.scopes.map((scope) => ({ ...scope, elementId: mapped(scope.elementId) }))
    const { taskId, elementId, name, people } = one
    const isKept = one.noted !== undefined && mapped(elementId) === elementId
    if (isKept && JSON.stringify(scopes) === JSON.stringify(one.scopes)) return []
    const put = taskPeopleItem(tenant, { id: taskId, instanceId, elementId: mapped(elementId), name, scopes }, people)
    if (one.noted === undefined) return [{ put }]
    return isKept ? [{ put, if: exists }] : [{ put }, { remove: keyOfItem(one.noted) }]
  })
  const groups = [...Map.groupBy(completions, ({ elementId }) => elementId)]
  return {
    rows,
    carried: groups.flatMap(([elementId, all]) =>
      named.has(mapped(elementId)) && (mapped(elementId) !== elementId || unnoted.includes(elementId))
        ? [{ element_id: elementId, to_element_id: mapped(elementId), tasks: all.length }]
        : [],
    ),
    warnings: groups.flatMap(([elementId]) =>
      named.size > 0 && own(to.elements, mapped(elementId)) === undefined
        ? [
            `Somebody has completed ${elementId}, and version ${version} has no such element: unless mapping.${elementId} names the one that takes its place, wf:fourEyes does not keep them from any task.`,
          ]
        : [],
    ),
  }
}

/**
 * Open tasks whose own definition stays: who completes them is noted where the new version needs it, in the sub-processes of
 * that version.
 */
export function refreshFourEyes(
  tenant: TenantRef,
  after: Pick<Instance, 'state'>,
  task: Task,
  isNoted: boolean,
): StepRow[] {
  const scopes = isNoted || task.fourEyes !== null ? scopesAround(after.state, task.executionId) : []
  if (isNoted === task.isNoted && JSON.stringify(scopes) === JSON.stringify(task.scopes)) return []
  const next: Task = { ...task, isNoted, scopes, version: task.version + 1 }
  return [{ put: taskItem(tenant, next), if: isUnchangedPending(task) }]
}

const fourEyesOf = ({ tasks }: CompiledProcess): string[] =>
  Object.values(tasks).flatMap(({ fourEyes }) => fourEyes ?? [])

async function notedCompletions(store: Reads, tenant: TenantRef, instanceId: number): Promise<Completion[]> {
  const completions: Completion[] = []
  const range = { pk: instanceRowsPartition(tenant, instanceId), prefix: allTaskPeoplePrefix }
  for await (const { items } of readPages(store, tenant, range))
    completions.push(
      ...items.map((item) => ({ ...parseTaskPeople(String(item.sk)), ...readTaskPeople(item), noted: item })),
    )
  return completions
}

/** Who has completed tasks at elements that nothing named when they were made: in which pass of a loop is not known. */
async function completionsAt(
  store: Reads,
  tenant: TenantRef,
  instanceId: number,
  elements: ReadonlySet<string>,
  noted: readonly Completion[],
): Promise<Completion[]> {
  const known = new Set(noted.map(({ taskId }) => taskId))
  const ids = new Set<number>()
  const range = { pk: instanceRowsPartition(tenant, instanceId), prefix: activitiesPrefix }
  for await (const { items } of readPages(store, tenant, range))
    for (const { what, element_id: at, task_id: id } of items.flatMap(readActivities))
      if (what === 'completed' && id !== undefined && elements.has(at) && !known.has(id)) ids.add(id)
  const found = await store.getMany(
    tenant,
    [...ids].map((id) => taskKey(tenant, id)),
  )
  return found.flatMap((item) => {
    const task = item === undefined ? undefined : readTask(item)
    if (task?.status !== 'completed' || task.completedBy === null) return []
    const done = task.history.findLast(({ what }) => what === 'completed')
    const by = {
      userId: task.completedBy,
      ...(done?.impersonator !== undefined && { impersonatorId: done.impersonator }),
    }
    const { id, elementId, name, scopes } = task
    return { elementId, taskId: id, name, scopes, people: peopleOfCompletion(task, by, done?.for) }
  })
}
