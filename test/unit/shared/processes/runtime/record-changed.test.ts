import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tenantItem } from '../../../../../shared/auth/tenants/tenant-row.ts'
import { historyEntry, historyRow } from '../../../../../shared/history/service.ts'
import type { AdvanceDependencies } from '../../../../../shared/processes/dependencies.ts'
import { commandItem, readCommandRows } from '../../../../../shared/processes/rows/command-rows.ts'
import { instanceRow } from '../../../../../shared/processes/rows/instance-row.ts'
import { instanceOfRecordItem } from '../../../../../shared/processes/rows/start-rows.ts'
import { taskItem } from '../../../../../shared/processes/rows/task-row.ts'
import { waitItem } from '../../../../../shared/processes/rows/wait-row.ts'
import { recordChanged } from '../../../../../shared/processes/runtime/record-changed.ts'
import type { Template } from '../../../../../shared/processes/templates/template.ts'
import type { ChangeEvent } from '../../../../../shared/queue/change-feed/change-event.ts'
import { recordItem } from '../../../../../shared/records/record-item.ts'
import { tenantKey } from '../../../../../shared/store/keys/auth.ts'
import {
  commandRowsPrefix,
  instanceKey,
  instanceRowsPartition,
  taskKey,
} from '../../../../../shared/store/keys/processes.ts'
import { readAll } from '../../../../../shared/store/ranges/read-all.ts'
import { deploymentWide } from '../../../../../shared/store/store.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { pendingTask } from '../../../../make/builders/processes/pending-task.ts'
import { runningInstance } from '../../../../make/builders/processes/running-instance.ts'
import { tableOf } from '../../../../make/builders/query-records.ts'
import { memoryObjects } from '../../../../make/services/memory-objects.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/single-table.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme Ltd', configVersion: 1 }
const at = '2026-11-20T08:00:00.000Z'
const plans = tableOf(101, 'plans', [{ name: 'status', type: 'text' }])
let single: SingleTable
/** Each test has a record of its own, with one instance of the same id, that another worker has leased. New instances count from 1. */
let id = 10_000
let templates: Template[] = []
let conditions: string[] = []
/** Instances that go on when the lease of the other worker has expired: somebody wanted to advance them. */
let wakes: number[] = []
let conditionResult: object = { status: 'ok', value: true }
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  id += 1
  templates = []
  conditions = []
  wakes = []
  await single.store.write(deploymentWide, { put: tenantItem(tenant, at) })
  await put({ ...instanceRow(tenant, { ...runningInstance(id), recordId: id }, 'made').item, ...leased })
  await put(instanceOfRecordItem(tenant, 'plans', id, id))
})

const clock = frozenClock()
/** So that the commands of an instance stay, and can be looked at. */
const leased = { lease_holder: 'other', lease_until: Date.parse('2030-01-01') }
const put = (item: Parameters<typeof single.store.putMany>[1][0]) => single.store.write(tenant, { put: item })
const runtime = {
  notifications: () => undefined,
  run: async ({ script }: { script: string }) => {
    conditions.push(script)
    return conditionResult
  },
}
const changed = (change: Partial<ChangeEvent>, isRepeat = false, store = single.store): Promise<void> =>
  recordChanged(
    {
      store,
      clock,
      objects: memoryObjects(),
      leaseMs: 20_000,
      wakeLater: async (_tenant: object, instanceId: number) => void wakes.push(instanceId),
      config: { list: async () => templates },
      tables: { find: async () => plans },
      openScripts: async () => ({ runtime }),
      openProcess: async () => {
        throw new Error('the process was opened')
      },
    } as unknown as AdvanceDependencies,
    { v: 1, tenant_id: 1, model: 'plans', id, version: 2, action: 'update', actor: 3, source: null, ...change },
    isRepeat,
  )
const commandsOf = async (instanceId = id) => {
  const range = { pk: instanceRowsPartition(tenant, instanceId), prefix: commandRowsPrefix }
  return readCommandRows(await readAll(single.store, tenant, range)).commands
}
const hasInstance = async (instanceId: number) =>
  (await single.store.get(tenant, instanceKey(tenant, instanceId))) !== undefined

const itemOf = (version: number, status: string) =>
  recordItem(
    plans,
    {
      id,
      tenant_id: 1,
      created_by: 3,
      created_at: at,
      updated_by: 3,
      updated_at: at,
      version,
      data: { status },
    },
    { tenant, userId: 3 },
    `write ${id} ${version}`,
  )

describe('an update of a record', () => {
  const statuses = ['new', 'ready', 'ready', 'ended']
  const isReady = { op: 'changesTo', field: 'status', values: ['ready'] }
  /** The record has four versions; its task has seen `seenVersion`. */
  async function waitFor(condition: object, seenVersion: number): Promise<void> {
    const items = statuses.map((status, index) => itemOf(index + 1, status))
    for (const [index, item] of items.entries()) await put(historyRow(historyEntry(items[index - 1], item)!).item)
    await put(items.at(-1)!)
    await put(taskItem(tenant, pendingTask(id, { instanceId: id, recordId: id })))
    const rules = [{ match: 'all', outcome: 'done', conditions: [condition], groups: [] }]
    const wait = { taskId: id, instanceId: id, executionId: `look ${id}`, elementId: 'look', seenVersion }
    await put(waitItem(tenant, 'plans', id, { ...wait, rules: rules as never }))
  }
  const task = () => single.store.get(tenant, taskKey(tenant, id))

  it('completes the task that waits for that version, in the name of who made it', async () => {
    await waitFor(isReady, 1)
    await changed({ version: 2, impersonator: 9 })
    expect(await task()).toMatchObject({ status: 'completed', outcome: 'done', completed_by: 3 })
    expect(await commandsOf()).toMatchObject([
      {
        command: {
          kind: 'complete',
          executionId: `look ${id}`,
          task: { outcome: 'done' },
          variables: { outcome: 'done' },
          hops: 0,
          old: { status: 'new' },
        },
        by: { userId: 3, impersonatorId: 9 },
      },
    ])
    expect(wakes).toEqual([id])
  })

  it('costs one Query when no task waits for it', async () => {
    const calls: string[] = []
    const counting = single.storeThrough((operation, call) => {
      calls.push(operation)
      return call()
    })
    await changed({}, false, counting)
    expect(calls).toEqual(['Query'])
  })

  it('is judged by the version that it made, whatever has changed since', async () => {
    await waitFor(isReady, 1)
    for (const version of [3, 4]) await changed({ version })
    expect([(await task())?.status, await commandsOf()]).toEqual(['pending', []])
  })

  it('does not complete a task that was opened for it, or after it', async () => {
    await waitFor(isReady, 2)
    await changed({ version: 2 })
    expect((await task())?.status).toBe('pending')
    await waitFor(isReady, 3)
    await changed({ version: 2 })
    expect([(await task())?.status, await commandsOf()]).toEqual(['pending', []])
  })

  it('counts the processes that led to it', async () => {
    await waitFor(isReady, 1)
    await changed({ version: 2, hops: 4 })
    expect(await commandsOf()).toMatchObject([{ command: { kind: 'complete', hops: 5 } }])
  })

  it('completes a task once, however often it is reported', async () => {
    await waitFor(isReady, 1)
    for (const isRepeat of [false, true]) await changed({ version: 2 }, isRepeat)
    expect(await commandsOf()).toHaveLength(1)
  })

  it('of a tenant that is gone is dropped', async () => {
    await waitFor(isReady, 1)
    await single.store.write(deploymentWide, { remove: tenantKey(tenant) })
    await changed({ version: 2 }, true)
    expect((await task())?.status).toBe('pending')
  })

  it('that is reported again continues what the first report began', async () => {
    await put(instanceRow(tenant, { ...runningInstance(id), recordId: id }, 'free').item)
    await put(
      commandItem(tenant, id, { kind: 'cancel' }, { userId: 3 }, { nowMs: clock.now(), uuid: crypto.randomUUID() }),
    )
    await changed({})
    expect(await commandsOf()).toHaveLength(1)
    await changed({}, true)
    expect(await commandsOf()).toEqual([])
    expect((await single.store.get(tenant, instanceKey(tenant, id)))?.status).toBe('cancelled')
  })
})

describe('a record that is deleted', () => {
  it('cancels its processes, in the name of who deleted it, and no others', async () => {
    await put({
      ...instanceRow(tenant, { ...runningInstance(id + 1000), recordId: id + 1000 }, 'made').item,
      ...leased,
    })
    await put(instanceOfRecordItem(tenant, 'plans', id + 1000, id + 1000))
    await changed({ action: 'delete', impersonator: 9 })
    expect(await commandsOf()).toMatchObject([
      { command: { kind: 'cancel' }, by: { userId: 3, impersonatorId: 9 }, isSuspended: false },
    ])
    expect(wakes).toEqual([id])
    expect(await commandsOf(id + 1000)).toEqual([])
  })

  it('of a tenant that is gone cancels nothing', async () => {
    await single.store.write(deploymentWide, { remove: tenantKey(tenant) })
    await changed({ action: 'delete' })
    expect(await commandsOf()).toEqual([])
  })

  it('without a process leaves nothing', async () => {
    await changed({ action: 'delete', id: id + 5000 })
    expect(await commandsOf(id + 5000)).toEqual([])
  })
})

describe('a record that is created', () => {
  const template = (changes: Partial<Template> = {}): Template => ({
    id: id * 10,
    code: 'check',
    name: 'Check',
    table: 'plans',
    isAutoStart: true,
    isActive: true,
    startCondition: null,
    version: 1,
    ...changes,
  })
  let wasAdvanced = false
  /** The instances that a report started, and advanced: their first step fails, because no process is stored. */
  async function started(change: Partial<ChangeEvent> = {}) {
    const before = await instanceIds()
    const failure = await changed({ action: 'create', version: 1, ...change }).catch((error: Error) => error)
    if (failure && failure.message !== 'the process was opened') throw failure
    wasAdvanced = failure !== undefined
    return (await instanceIds()).filter((one) => !before.includes(one))
  }
  const instanceIds = async () =>
    (await single.itemsOf('T#1#PI')).filter(({ kind }) => kind === 'process_instance').map(({ sk }) => Number(sk))
  const makeRecord = () => put(itemOf(1, 'new'))

  it('starts the processes of its table, in the name of who created it', async () => {
    templates = [template()]
    const [instance] = await started({ impersonator: 9 })
    expect(await single.store.get(tenant, instanceKey(tenant, instance!))).toMatchObject({
      code: 'check',
      model: 'plans',
      record_id: id,
      source: 'auto',
      started_by: 3,
      hops: 0,
    })
    expect(wasAdvanced).toBe(true)
    expect(await commandsOf(instance)).toMatchObject([
      { command: { kind: 'start', hops: 0 }, by: { userId: 3, impersonatorId: 9 } },
    ])
  })

  it('starts each of them once, however often it is reported', async () => {
    templates = [template()]
    const [instance] = await started()
    expect([await started(), wasAdvanced, await hasInstance(instance!)]).toEqual([[], true, true])
  })

  it.each([
    ['is not active', { isActive: false }],
    ['is started by people', { isAutoStart: false }],
    ['is one of another table', { table: 'others' }],
  ])('does not start a process that %s', async (_title, change) => {
    templates = [template(change)]
    expect(await started()).toEqual([])
  })

  it('counts the processes that led to it', async () => {
    templates = [template()]
    const [instance] = await started({ hops: 4 })
    expect(await commandsOf(instance)).toMatchObject([{ command: { kind: 'start', hops: 5 } }])
  })

  it.each([
    ['holds', { status: 'ok', value: 1 }, 1],
    ['does not hold', { status: 'ok', value: '' }, 0],
    ['fails', { status: 'error', error: { message: 'x is not defined' } }, 0],
  ])('starts a process with a condition when it holds: it %s', async (_title, result, count) => {
    await makeRecord()
    templates = [template({ startCondition: "record.status == 'new'" })]
    conditionResult = result
    expect(await started()).toHaveLength(count)
    expect(conditions).toHaveLength(1)
  })

  it('that is gone already starts no process with a condition', async () => {
    templates = [template({ startCondition: 'true' })]
    conditionResult = { status: 'ok', value: true }
    expect([await started(), conditions]).toEqual([[], []])
  })

  it('of a tenant that is gone starts nothing', async () => {
    templates = [template()]
    await single.store.write(deploymentWide, { remove: tenantKey(tenant) })
    expect(await started()).toEqual([])
  })
})
