import { userOfAddress } from '../../../accounts/people/lookup/user-of-address.ts'
import { own } from '../../../kernel/collections/own-members.ts'
import { Fault, Invalid } from '../../../kernel/failures/faults.ts'
import type { PrincipalRef } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { candidateKey, waitOfRecordKey } from '../../../platform/store/keys/processes.ts'
import { type MigratedToken, migrateState } from '../../bpmn/changes/migrate-state.ts'
import { scopesAround } from '../../bpmn/engine/stored-state.ts'
import { executionScopes } from '../../bpmn/process.ts'
import type { CompiledProcess, TaskDefinition } from '../../bpmn/shapes/compiled-process.ts'
import { formerReads, mergeReads } from '../../bpmn/shapes/reads.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { stepExpressions } from '../evaluate/step-expressions.ts'
import { stepScope } from '../evaluate/step-scope.ts'
import { commandItem, type CommandRow, type StepRow, timerItem } from '../rows/command-rows.ts'
import type { Instance, OpenWait } from '../rows/instance-row.ts'
import type { Operation } from '../rows/operation-row.ts'
import { candidateItems, candidatesOf, isUnchangedPending, type Task, taskItem } from '../rows/task-row.ts'
import { tasksOf } from '../rows/tasks-of-waits.ts'
import { waitItem } from '../rows/wait-row.ts'
import type { InstanceWork } from '../steps/commit-step.ts'
import { compareWaits } from '../steps/compare-waits.ts'
import { newTask } from '../steps/new-task.ts'
import { eventRows } from '../steps/step-events.ts'
import { activityWrites, closedRows } from '../steps/step-writes.ts'
import { versionOfRecord } from '../steps/suspend-step.ts'
import { readVersion } from '../templates/template.ts'
import { carryFourEyes, type FourEyesPlan, refreshFourEyes } from './carry-four-eyes.ts'
import { continuation, type InstanceChange } from './instance-change.ts'
import { invalidOf } from './modify-instance.ts'

type MigrateOperation = Extract<Operation, { action: 'migrate' }>

/**
 * Moves an instance to another version of its template. Waits follow the new definition: tasks keep their ids, events that
 * differ begin again. Throws Invalid that names each element that does not fit.
 */
export async function migrateInstance(
  work: InstanceWork,
  { by }: CommandRow,
  before: Instance,
  operation: MigrateOperation,
): Promise<InstanceChange> {
  const { services, tenant, open } = work
  const { clock, store } = services
  const plan = await planMigration(services, tenant, before, operation)
  const { to, changed, details } = plan
  if (changed === undefined) return { after: { ...before, templateVersion: operation.version }, rows: [], details }
  const now = clock.now()
  const { closed, stored } = compareWaits(before.waits, changed.waits, undefined)
  const elements = new Map(changed.waits.map(({ executionId, elementId }) => [executionId, elementId]))
  const waits = stored(new Map()).map((wait): OpenWait => ({
    ...wait,
    elementId: elements.get(wait.executionId) ?? wait.elementId,
  }))
  const after: Instance = {
    ...before,
    templateVersion: operation.version,
    state: changed.state,
    waits,
    steps: before.steps + (changed.events.length > 0 ? 1 : 0),
    reads: mergeReads(before.reads, formerReads(plan.from.reads, Object.keys(plan.from.elements), operation.mapping)),
  }
  const moved = waits.filter(
    ({ executionId, elementId }) =>
      before.waits.find((wait) => wait.executionId === executionId)?.elementId !== elementId,
  )
  const recordVersion = await versionOfRecord(store, tenant, before)
  const events = moved.flatMap((wait) =>
    wait.kind === 'event' && !(after.status === 'suspended' && wait.on === 'message') ? [wait] : [],
  )
  return {
    after,
    rows: [
      // First: nobody may take a task before it is known who may not.
      ...plan.fourEyes.rows,
      ...continuation(clock, tenant, after, open, by),
      ...activityWrites(tenant, before, to, changed.events, { at: isoTime(now), status: after.status }),
      ...closedRows(tenant, before, closed, await tasksOf(store, tenant, closed), now),
      ...(await taskRows(services, tenant, after, to, { by, recordVersion, tokens: plan.tokens, from: plan.from })),
      ...moved.flatMap((wait) => (wait.kind === 'timer' ? [{ put: timerItem(tenant, before.id, wait) }] : [])),
      ...eventRows(tenant, before, to, events, recordVersion, now),
    ],
    details,
  }
}

/** What a migration would do. Throws Invalid when it cannot be done. */
export async function planMigration(
  services: Pick<AdvanceDependencies, 'store' | 'openProcess' | 'clock'>,
  tenant: Tenant,
  before: Instance,
  { version, mapping }: Pick<MigrateOperation, 'version' | 'mapping'>,
) {
  const { store, openProcess, clock } = services
  const { templateId, templateVersion, model } = before
  const refuse = (message: string): Invalid => new Invalid({ version: [message] })
  if (version === templateVersion) throw refuse(`The process instance ${before.id} runs version ${version} already.`)
  const found = await readVersion(store, tenant, templateId, version)
  if (found === undefined) throw refuse(`The process template ${before.code} has no version ${version}.`)
  if (found.wf === undefined)
    throw refuse(`Version ${version} of ${before.code} is a draft that cannot run: ${found.findings[0]?.message ?? ''}`)
  const to = await openProcess(tenant, templateId, version)
  if (to.wf.table !== undefined && to.wf.table !== model)
    throw refuse(`Version ${version} of ${before.code} is about ${to.wf.table}, and this instance about ${model}.`)
  const from = await openProcess(tenant, templateId, templateVersion)
  const versions = { from_version: templateVersion, to_version: version, mapping }
  if (before.state === undefined)
    return { from, to, changed: undefined, tokens: [], details: { ...versions, tokens: [] }, fourEyes: noFourEyes }
  const { problems, tokens, ...changed } = migrateState(from, to, before.state, {
    mapping,
    version,
    nowMs: clock.now(),
  })
  if (problems.length > 0 || !('state' in changed)) throw invalidOf(problems)
  const fourEyes = await carryFourEyes(store, tenant, before, { from, to, mapping, version })
  const { carried, warnings } = fourEyes
  const details = {
    ...versions,
    tokens: summary(tokens),
    ...(carried.length > 0 && { four_eyes: [...carried] }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  }
  return { from, to, changed, tokens, details, fourEyes }
}

const noFourEyes: FourEyesPlan = { rows: [], carried: [], warnings: [] }

/** What becomes of the tokens of each element. */
function summary(tokens: readonly MigratedToken[]) {
  const groups = Map.groupBy(tokens, ({ from, effect }) => JSON.stringify([from, effect]))
  return [...groups.values()].map((group) => {
    const { from, to, effect } = group[0] as MigratedToken
    return { element_id: from, to_element_id: to, effect, count: group.length }
  })
}

/** Open tasks by their new definition. What somebody has taken stays theirs unless the new version assigns it differently. */
async function taskRows(
  services: AdvanceDependencies,
  tenant: Tenant,
  after: Instance,
  to: CompiledProcess,
  {
    by,
    recordVersion,
    tokens,
    from,
  }: {
    readonly by: PrincipalRef
    readonly recordVersion: number
    readonly tokens: readonly MigratedToken[]
    readonly from: CompiledProcess
  },
): Promise<StepRow[]> {
  const { store, clock } = services
  const updated = new Map(tokens.filter(({ effect }) => effect === 'updated').map((one) => [one.from, one]))
  const waits = after.waits.filter((wait) => wait.kind === 'task')
  const tasks = await tasksOf(store, tenant, waits)
  const scopeAt = executionScopes(to, after.state)
  const { id, code, model, recordId } = after
  const scope = stepScope(services, tenant, after, by, undefined)
  const evaluate = stepExpressions(services.openScripts, tenant, { id, code, model, recordId }, scope, to.defines)
  const noted = new Set(Object.values(to.tasks).map(({ fourEyes }) => fourEyes))
  const rows: StepRow[] = []
  const watching: number[] = []
  for (const wait of waits) {
    const task = tasks.get(wait.taskId)
    const token = task && updated.get(task.elementId)
    const definition = own(to.tasks, wait.elementId)
    if (task?.status !== 'pending' || definition === undefined) continue
    if (token === undefined) {
      rows.push(...refreshFourEyes(tenant, after, task, noted.has(wait.elementId)))
      continue
    }
    const { loop } = task
    const position = { ...wait, ...(loop && { loop }) }
    const fresh = await named(token.from, () =>
      newTask(task.id, after, position, own(to.elements, wait.elementId) ?? { name: null }, definition, {
        evaluate,
        at: scopeAt(wait.executionId),
        nowMs: clock.now(),
        findUser: (address) => userOfAddress(store, tenant, address),
        isNoted: noted.has(wait.elementId),
        scopesAround: () => scopesAround(after.state, wait.executionId),
      }),
    )
    const next = mergeTask(task, fresh, own(from.tasks, token.from), definition)
    const kept = new Set(candidatesOf(next).map((one) => JSON.stringify(one)))
    rows.push(
      { put: taskItem(tenant, next), if: isUnchangedPending(task) },
      ...candidatesOf(task)
        .filter((one) => !kept.has(JSON.stringify(one)))
        .map((one) => ({ remove: candidateKey(tenant, one, task.id) })),
      ...candidateItems(tenant, next).map((put) => ({ put })),
    )
    if (definition.completeOn.length === 0) {
      rows.push({ remove: waitOfRecordKey(tenant, model, recordId, task.id) })
      continue
    }
    watching.push(task.id)
    rows.push({
      put: waitItem(tenant, model, recordId, {
        taskId: task.id,
        instanceId: id,
        executionId: wait.executionId,
        elementId: wait.elementId,
        rules: definition.completeOn,
        seenVersion: recordVersion,
      }),
    })
  }
  if (watching.length === 0) return rows
  const look = { kind: 'look', taskIds: watching } as const
  return [...rows, { put: commandItem(tenant, id, look, by, { nowMs: clock.now(), uuid: clock.uuid() }) }]
}

/** An open task with what its new definition says, but for what has not changed since it was made. */
function mergeTask(task: Task, fresh: Task, before: TaskDefinition | undefined, definition: TaskDefinition): Task {
  const { elementId, name, candidateUsers, candidateRoles, candidateOrgUnits, form, formKey, outcomes, priority } =
    fresh
  const { fourEyes, isNoted, scopes } = fresh
  return {
    ...task,
    elementId,
    name,
    candidateUsers,
    candidateRoles,
    candidateOrgUnits,
    form,
    formKey,
    outcomes,
    priority,
    fourEyes,
    isNoted,
    scopes,
    version: task.version + 1,
    assignee: before?.assignee === definition.assignee ? task.assignee : fresh.assignee,
    dueAt: before?.dueDate === definition.dueDate ? task.dueAt : fresh.dueAt,
  }
}

/** Names the element whose new definition fails. */
async function named<T>(elementId: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    if (cause instanceof Fault) throw new Invalid({ [`mapping.${elementId}`]: [cause.message] }, { cause })
    throw cause
  }
}
