import { readActivities } from '../../../shared/automation/processes/rows/activities-row.ts'
import { type Instance, hasEnded, readInstanceHead } from '../../../shared/automation/processes/rows/instance-row.ts'
import { candidatesOf, readTask } from '../../../shared/automation/processes/rows/task-row.ts'
import {
  candidateKey,
  instanceRowsPartition,
  processesOfRecordPartition,
} from '../../../shared/platform/store/keys/processes.ts'
import type { StoredItem } from '../../make/services/stores/single-table.ts'

const tenant = { id: 1 }

/** Checks every process instance in a quiet service: each row that it waits for exists, and no other row is open. */
export function brokenProcesses(items: readonly StoredItem[]): string[] {
  const instances = items.filter(({ kind }) => kind === 'process_instance').map(readInstanceHead)
  return [
    ...duplicateTasks(items),
    ...instances.flatMap((instance) =>
      brokenInstance(items, instance).map((text) => `instance ${instance.id} ${text}`),
    ),
  ]
}

function duplicateTasks(items: readonly StoredItem[]): string[] {
  const byExecution = Map.groupBy(
    tasksAmong(items),
    ({ instance_id, execution_id }) => `${String(instance_id)} ${String(execution_id)}`,
  )
  return [...byExecution]
    .filter(([, tasks]) => tasks.length > 1)
    .map(([name, tasks]) => `the execution ${name} has ${tasks.length} tasks`)
}

const tasksAmong = (items: readonly StoredItem[]) => items.filter(({ kind }) => kind === 'process_task')

function brokenInstance(items: readonly StoredItem[], instance: Instance): string[] {
  const rows = items.filter(({ pk }) => pk === instanceRowsPartition(tenant, instance.id))
  const ofRecord = items.filter(
    ({ pk }) => pk === processesOfRecordPartition(tenant, instance.model, instance.recordId),
  )
  const tasks = tasksAmong(items).filter(({ instance_id }) => instance_id === instance.id)
  const pending = tasks.filter(({ status }) => status === 'pending')
  const incidents = items.filter(
    ({ kind, instance_id, status }) => kind === 'process_incident' && instance_id === instance.id && status === 'open',
  )
  const waitingFor = (kind: string, id: 'taskId' | 'executionId' | 'incidentId') =>
    instance.waits.flatMap((wait) =>
      wait.kind === kind ? [String((wait as unknown as Record<string, unknown>)[id])] : [],
    )
  const commands = rows.filter(
    ({ kind, parked }) =>
      (kind === 'process_command' || kind === 'process_report') && (hasEnded(instance) || parked !== true),
  )
  const suspendedTasks = rows
    .filter(({ kind, parked }) => kind === 'process_command' && parked === true)
    .map(({ command }) => String((JSON.parse(String(command)) as { task?: { id: number } }).task?.id))

  const broken: string[] = []
  const expectNone = (what: string, found: readonly string[]): void => {
    if (found.length > 0) broken.push(`has ${what}: ${found.join(', ')}`)
  }
  const expectSame = (what: string, found: readonly string[], wanted: readonly string[]): void => {
    const [one, other] = [[...found].sort().join(', '), [...wanted].sort().join(', ')]
    if (one !== other) broken.push(`has the ${what} [${one}] and waits for [${other}]`)
  }
  if (hasEnded(instance))
    expectNone(
      'ended, but still waits for',
      instance.waits.map(({ executionId }) => executionId),
    )
  expectNone(
    `the status ${instance.status} and commands that were not carried out`,
    commands.map(({ sk, command }) => `${sk} ${String(command)}`),
  )
  expectSame(
    'timers',
    rows.filter(({ kind }) => kind === 'process_timer').map(({ execution_id }) => String(execution_id)),
    waitingFor('timer', 'executionId'),
  )
  expectSame(
    'pending tasks',
    pending.map(({ sk }) => String(Number(sk))),
    waitingFor('task', 'taskId').filter((id) => !suspendedTasks.includes(id)),
  )
  expectSame(
    'open incidents',
    incidents.map(({ sk }) => String(Number(sk))),
    [...waitingFor('failed', 'incidentId'), ...instance.stepIncidents.map(String)],
  )
  const known = new Set(pending.map(({ sk }) => Number(sk)))
  expectNone(
    'waits for the record without a task',
    ofRecord
      .filter(
        ({ kind, instance_id, sk }) =>
          kind === 'process_wait' && instance_id === instance.id && !known.has(Number(sk.slice(2))),
      )
      .map(({ sk }) => sk),
  )
  const offers = pending.flatMap((item) =>
    candidatesOf(readTask(item)).map((candidate) => candidateKey(tenant, candidate, Number(item.sk))),
  )
  expectNone(
    'pending tasks without a candidate row',
    offers
      .filter((key) => !items.some(({ pk, sk }) => pk === key.pk && sk === key.sk))
      .map(({ pk, sk }) => `${pk} ${sk}`),
  )
  const offered = tasks.filter(({ status }) => status !== 'pending').map(({ sk }) => sk)
  expectNone(
    'ended tasks that still have a candidate row',
    items
      .filter(({ kind, sk }) => kind === 'task_candidate' && offered.includes(sk))
      .map(({ pk, sk }) => `${pk} ${sk}`),
  )
  return [...broken, ...brokenActivities(rows, instance)]
}

/** Each step has its row of activity events; in those that stand, each execution is entered once, and ends at most once. */
function brokenActivities(rows: readonly StoredItem[], { steps }: Instance): string[] {
  const stepRows = rows.filter(({ kind }) => kind === 'process_activities')
  const events = stepRows.filter(({ withdrawn }) => withdrawn !== true).flatMap(readActivities)
  const doubled = [
    ...Map.groupBy(
      events.filter(({ what }) => what !== 'failed'),
      ({ execution_id, what }) => `${execution_id} ${what === 'entered' ? what : 'ended'}`,
    ),
  ].filter(([, same]) => same.length > 1)
  return [
    ...(stepRows.length === steps ? [] : [`took ${steps} steps and has events of ${stepRows.length}`]),
    ...doubled.map(([name, same]) => `has the event ${name} ${same.length} times`),
  ]
}
