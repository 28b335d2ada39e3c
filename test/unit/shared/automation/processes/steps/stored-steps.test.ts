import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ActivityEvent } from '../../../../../../shared/automation/bpmn/schema.ts'
import type { CompiledProcess } from '../../../../../../shared/automation/bpmn/shapes/compiled-process.ts'
import type { AdvanceDependencies } from '../../../../../../shared/automation/processes/dependencies.ts'
import { readActivities } from '../../../../../../shared/automation/processes/rows/activities-row.ts'
import {
  commandItem,
  type CommandRow,
  type ProcessCommand,
  readCommandRows,
  type StepRow,
  timerItem,
  type TimerRow,
} from '../../../../../../shared/automation/processes/rows/command-rows.ts'
import {
  type Instance,
  instanceRow,
  type OpenWait,
  readInstance,
} from '../../../../../../shared/automation/processes/rows/instance-row.ts'
import { candidateItems, taskItem } from '../../../../../../shared/automation/processes/rows/task-row.ts'
import { commitStep, type InstanceWork } from '../../../../../../shared/automation/processes/steps/commit-step.ts'
import { StepFailed } from '../../../../../../shared/automation/processes/steps/step-context.ts'
import { closedRows } from '../../../../../../shared/automation/processes/steps/step-writes.ts'
import { suspendStep } from '../../../../../../shared/automation/processes/steps/suspend-step.ts'
import { writeDeferredRows } from '../../../../../../shared/automation/processes/steps/write-deferred-rows.ts'
import {
  activitiesKey,
  candidateKey,
  commandRowsPrefix,
  incidentKey,
  instanceKey,
  instanceRowsPartition,
  processTimerKey,
  taskKey,
} from '../../../../../../shared/platform/store/keys/processes.ts'
import { readAll } from '../../../../../../shared/platform/store/ranges/read-all.ts'
import { dueSlot, slotAttributes, slotName } from '../../../../../../shared/platform/store/slots.ts'
import { gunzipJson } from '../../../../../../shared/platform/store/values/pack-json.ts'
import { isNew } from '../../../../../../shared/platform/store/writes/conditions.ts'
import { TransactionRefused } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { pendingTask } from '../../../../../make/builders/processes/pending-task.ts'
import { runningInstance } from '../../../../../make/builders/processes/running-instance.ts'
import { memoryObjects } from '../../../../../make/services/stores/memory-objects.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme Ltd', configVersion: 1 }
const clock = frozenClock()
const objects = memoryObjects()
let single: SingleTable
let id = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

const instance = () => runningInstance(id)
const put = (item: Parameters<typeof single.store.write>[1]) => single.store.write(tenant, item)
beforeEach(async () => {
  id += 1
  await put({ put: instanceRow(tenant, instance(), 'made').item })
})

const work = (holder = 'a'): InstanceWork =>
  ({
    services: { store: single.store, clock, objects } as unknown as AdvanceDependencies,
    tenant,
    holder,
  }) as InstanceWork
const commit = (rows: readonly StepRow[] = [], { holder = 'a', done }: { holder?: string; done?: CommandRow } = {}) =>
  commitStep(work(holder), instance(), { ...instance(), rev: 4, variables: { seen: true } }, done, rows)
const commands = async () =>
  readCommandRows(
    await readAll(single.store, tenant, { pk: instanceRowsPartition(tenant, id), prefix: commandRowsPrefix }),
  ).commands
const stored = (key: Parameters<typeof single.store.get>[1]) => single.store.get(tenant, key)
const storedInstance = async () => readInstance((await stored(instanceKey(tenant, id))) as never, objects.fetchObject)
const rowsOf = ({ command }: CommandRow) => (command as { rows: readonly StepRow[] }).rows
const makeCommand = async (command: ProcessCommand): Promise<CommandRow> => {
  await put({
    put: commandItem(tenant, id, command, { userId: 1 }, { nowMs: clock.now(), uuid: crypto.randomUUID() }),
  })
  return (await commands()).at(-1) as CommandRow
}

describe('the step of an instance', () => {
  it('is stored with its rows, and its command is removed', async () => {
    const done = await makeCommand({ kind: 'retry' })
    await commit([{ put: taskItem(tenant, pendingTask(id)) }], { done })
    expect(await storedInstance()).toMatchObject({ rev: 4, variables: { seen: true } })
    expect([await commands(), (await stored(taskKey(tenant, id)))?.status]).toEqual([[], 'pending'])
  })

  it.each([
    ['stored a step', { rev: 4 }],
    ['took the lease', { lease_holder: 'b', lease_until: clock.now() + 1 }],
  ])('is not stored, and leaves its command, when another worker %s', async (_title, change) => {
    const done = await makeCommand({ kind: 'retry' })
    await put({ put: { ...instanceRow(tenant, instance(), 'other').item, ...change } })
    await expect(commit([{ put: taskItem(tenant, pendingTask(id)) }], { done })).rejects.toThrow(TransactionRefused)
    expect([(await commands()).length, await stored(taskKey(tenant, id))]).toEqual([1, undefined])
  })

  it('is not stored when a task that it cancels was completed meanwhile', async () => {
    const task = pendingTask(id)
    await put({ put: taskItem(tenant, { ...task, status: 'completed' }) })
    const wait = { kind: 'task', elementId: 'look', executionId: task.executionId, taskId: task.id } as const
    const rows = closedRows(tenant, instance(), [wait], new Map([[task.id, task]]), clock.now())
    await expect(commit(rows)).rejects.toThrow(TransactionRefused)
    expect((await stored(taskKey(tenant, id)))?.status).toBe('completed')
  })

  it.each([
    ['as many rows as a transaction holds', 88, 0],
    ['one row more', 89, 1],
    ['rows for two commands', 290, 3],
  ])('writes %s, the others by commands before every other', async (_title, count, later) => {
    const waiting = await makeCommand({ kind: 'retry' })
    const tasks = Array.from({ length: count }, (_, index) => pendingTask(id * 1000 + index))
    await commit(
      tasks.map((task) => ({ put: taskItem(tenant, task) })),
      { done: waiting },
    )
    const deferred = await commands()
    expect(deferred.map(({ command }) => command.kind)).toEqual(Array.from({ length: later }, () => 'rows'))
    for (const row of deferred) await writeDeferredRows(work().services, tenant, row, rowsOf(row))
    const found = await Promise.all(tasks.map((task) => stored(taskKey(tenant, task.id))))
    expect([found.filter(Boolean).length, await commands()]).toEqual([count, []])
  })

  it('writes rows of more than a megabyte by commands', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => ({
      put: { ...processTimerKey(tenant, id, `${index}`), text: 'x'.repeat(100_000) },
    }))
    await commit(rows)
    expect((await commands()).map((row) => rowsOf(row).length)).toEqual([2])
    expect(await stored(processTimerKey(tenant, id, '9'))).toBeDefined()
    expect(await stored(processTimerKey(tenant, id, '10'))).toBeUndefined()
  })

  it('stores variables that are too large for a row as an object', async () => {
    const variables = { text: randomBytes(400_000).toString('base64') }
    await commitStep(work(), instance(), { ...instance(), rev: 4, variables }, undefined, [])
    expect((await stored(instanceKey(tenant, id)))?.state_object).toEqual(expect.any(String))
    expect((await storedInstance()).variables).toEqual(variables)
  })

  it('stores more rows than commands hold as an object', async () => {
    const tasks = Array.from({ length: 1000 }, (_, index) => pendingTask(id * 1000 + index))
    await commit(tasks.map((task) => ({ put: taskItem(tenant, task) })))
    const [command] = (await commands()).map((row) => row.command)
    expect(command).toEqual({ kind: 'stored_rows', object: expect.any(String) })
    const rows = gunzipJson<readonly StepRow[]>(await objects.fetchObject((command as { object: string }).object))
    const first = tasks.length - rows.length
    expect(rows).toEqual(tasks.slice(first).map((task) => ({ put: taskItem(tenant, task), if: isNew })))
    const written = await Promise.all([first - 1, first].map((at) => stored(taskKey(tenant, id * 1000 + at))))
    expect(written.map((row) => row !== undefined)).toEqual([true, false])
  })
})

describe('a step that failed', () => {
  const event = (executionId: string, what: ActivityEvent['what']): ActivityEvent => ({
    elementId: executionId,
    type: 'scriptTask',
    executionId,
    what,
    at: '2026-11-20T08:00:00.000Z',
  })
  const before = (): Instance => ({
    ...instance(),
    waits: ['done', 'other'].map((executionId) => ({ kind: 'task', elementId: 'look', executionId, taskId: 7 })),
  })
  const suspend = async (events: readonly ActivityEvent[]) => {
    const row = await makeCommand({ kind: 'complete', executionId: 'done' } as ProcessCommand)
    const compiled = { elements: {} } as unknown as CompiledProcess
    const failure = new StepFailed('It did not work.', { elementId: 'send', events })
    await suspendStep(work(), before(), compiled, row, failure)
    const after = await storedInstance()
    const written = await stored(activitiesKey(tenant, id, before().steps + 1))
    return { after, activities: written && readActivities(written) }
  }

  it('leaves its command for a retry, with an incident, and what ran in it', async () => {
    const ran = [event('done', 'completed'), event('first', 'completed'), event('send', 'entered')]
    const { after, activities } = await suspend([...ran, event('beside', 'entered'), event('other', 'entered')])
    expect(after).toMatchObject({ status: 'incident', rev: 4, steps: 2, stepIncidents: [expect.any(Number)] })
    expect((await commands()).map(({ isSuspended }) => isSuspended)).toEqual([true])
    expect(activities?.map(({ execution_id, what }) => `${execution_id} ${what}`)).toEqual([
      'done completed',
      'first completed',
      'send entered',
      'beside entered',
      'send failed',
      'beside cancelled',
    ])
  })

  it('leaves its timer for a retry, which no sweep looks for', async () => {
    const timer = { elementId: 'wait', executionId: 'wait', dueAt: '2026-11-20T08:00:00.000Z' }
    await put({ put: timerItem(tenant, id, timer) })
    const rows = { pk: instanceRowsPartition(tenant, id), prefix: commandRowsPrefix }
    const timers = async () => readCommandRows(await readAll(single.store, tenant, rows)).timers
    const [row] = (await timers()) as [TimerRow]
    const compiled = { elements: {} } as unknown as CompiledProcess
    await suspendStep(work(), before(), compiled, row, new StepFailed('It did not work.'))
    expect(await timers()).toMatchObject([{ ...timer, isSuspended: true }])
    expect(await stored(row.key)).not.toHaveProperty(slotAttributes(slotName(dueSlot)).sort)
  })

  it('in which nothing ran is no step of the history', async () => {
    const { after, activities } = await suspend([])
    expect([after.steps, activities]).toEqual([1, undefined])
  })
})

describe('failed work that an instance does not wait for any more', () => {
  it('has its incident resolved, and one that is gone does not come back', async () => {
    const failed = { kind: 'failed', elementId: 'look', executionId: `look ${id}`, incidentId: id } as OpenWait
    const rows = closedRows(tenant, instance(), [failed], new Map(), clock.now())
    await expect(commit(rows)).rejects.toThrow(TransactionRefused)
    expect(await stored(incidentKey(tenant, id))).toBeUndefined()
    await put({ put: { ...incidentKey(tenant, id), status: 'open' } })
    await commit(rows)
    expect((await stored(incidentKey(tenant, id)))?.status).toBe('resolved')
  })
})

describe('rows of a step that are written later', () => {
  const defer = async (rows: readonly StepRow[]) => {
    const filling = Array.from({ length: 90 }, (_, index) => ({
      put: { ...processTimerKey(tenant, id, `filled ${index}`) },
    }))
    await commit([...filling, ...rows])
    const [row] = await commands()
    return () => writeDeferredRows(work().services, tenant, row as CommandRow, rowsOf(row as CommandRow))
  }

  it('leave what has changed since an earlier attempt', async () => {
    const write = await defer([{ put: taskItem(tenant, pendingTask(id)) }])
    await write()
    await put({ put: taskItem(tenant, pendingTask(id, { status: 'completed' })) })
    await write()
    expect((await stored(taskKey(tenant, id)))?.status).toBe('completed')
  })

  it('offer a task to nobody once it has ended', async () => {
    const task = pendingTask(id, { candidateUsers: [7] })
    const offers = candidateItems(tenant, task).map((item) => ({
      row: { put: item },
      whilePending: taskKey(tenant, task.id),
    }))
    const offer = candidateKey(tenant, { kind: 'U', id: 7 }, task.id)
    const write = await defer([{ put: taskItem(tenant, { ...task, status: 'cancelled' }) }, ...offers])
    await write()
    expect(await stored(offer)).toBeUndefined()
    await put({ put: taskItem(tenant, task) })
    await write()
    expect(await stored(offer)).toBeDefined()
  })
})
