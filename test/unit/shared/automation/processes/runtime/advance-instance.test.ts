import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AdvanceDependencies } from '../../../../../../shared/automation/processes/dependencies.ts'
import {
  commandItem,
  type ProcessCommand,
  readCommandRows,
  timerItem,
} from '../../../../../../shared/automation/processes/rows/command-rows.ts'
import {
  type Instance,
  instanceRow,
  readInstanceHead,
} from '../../../../../../shared/automation/processes/rows/instance-row.ts'
import { taskItem } from '../../../../../../shared/automation/processes/rows/task-row.ts'
import { waitItem } from '../../../../../../shared/automation/processes/rows/wait-row.ts'
import {
  advanceInstance,
  continueInstance,
} from '../../../../../../shared/automation/processes/runtime/advance-instance.ts'
import { NoThreadFree } from '../../../../../../shared/kernel/throttling/throttled.ts'
import {
  activitiesKey,
  commandRowsPrefix,
  incidentKey,
  instanceKey,
  instanceRowsPartition,
  processEffectKey,
  taskKey,
} from '../../../../../../shared/platform/store/keys/processes.ts'
import { readAll } from '../../../../../../shared/platform/store/ranges/read-all.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import { gzipJson } from '../../../../../../shared/platform/store/values/pack-json.ts'
import { recordItem } from '../../../../../../shared/records/records/record-item.ts'
import { endingClock, frozenClock, type FrozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { tableOf } from '../../../../../make/builders/lists/query-records.ts'
import { pendingTask } from '../../../../../make/builders/processes/pending-task.ts'
import { runningInstance } from '../../../../../make/builders/processes/running-instance.ts'
import { interruptedStore } from '../../../../../make/services/stores/interrupted-store.ts'
import { memoryObjects } from '../../../../../make/services/stores/memory-objects.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme Ltd', configVersion: 1 }
const leaseMs = 20_000
const objects = memoryObjects()
let single: SingleTable
let clock: FrozenClock
let wakes: number[]
let id = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  id += 1
  clock = frozenClock()
  wakes = []
  await makeInstance()
})

/** Its steps are those that need no engine: whatever opens the process fails. */
const advance = (
  store: Store = single.store,
  more: Partial<AdvanceDependencies> = {},
  act: typeof continueInstance = advanceInstance,
): Promise<void> =>
  act(
    {
      store,
      clock: endingClock(clock),
      objects,
      leaseMs,
      wakeLater: async (_tenant: object, _id: number, seconds: number) => void wakes.push(seconds),
      openProcess: async () => {
        throw new Error('the process was opened')
      },
      ...more,
    } as unknown as AdvanceDependencies,
    tenant,
    id,
  )
const put = (item: Parameters<Store['transact']>[1][0]) => single.store.write(tenant, item)
const makeInstance = (changes: Partial<Instance> = {}, more: object = {}) =>
  put({ put: { ...instanceRow(tenant, { ...runningInstance(id), ...changes }, 'made').item, ...more } })
let given = 0
/** Commands run in the order in which they are given. */
const command = (one: ProcessCommand, more: object = {}) =>
  put({
    put: {
      ...commandItem(tenant, id, one, { userId: 3 }, { nowMs: (given += 1), uuid: crypto.randomUUID() }),
      ...more,
    },
  })
const timer = (dueAt: string, more: object = {}) =>
  put({ put: { ...timerItem(tenant, id, { elementId: 'wait', executionId: `wait ${dueAt}`, dueAt }), ...more } })
const instance = async () => {
  const item = await single.store.get(tenant, instanceKey(tenant, id))
  if (!item) throw new Error('the instance is gone')
  return readInstanceHead(item)
}
const open = async () => {
  const range = { pk: instanceRowsPartition(tenant, id), prefix: commandRowsPrefix }
  const { commands, timers } = readCommandRows(await readAll(single.store, tenant, range))
  return [...commands.map((one) => one.command.kind), ...timers.map(({ dueAt }) => dueAt)]
}
const effect = (name: string) => processEffectKey(tenant, id, name)
const isStored = async (name: string) => (await single.store.get(tenant, effect(name))) !== undefined
const rows = (name: string): ProcessCommand => ({ kind: 'rows', rows: [{ put: { ...effect(name) } }] })

const now = '2026-11-20T08:00:00.000Z'
const aMomentLater = '2026-11-20T08:00:00.001Z'

describe('an instance that is advanced', () => {
  it('carries out its commands until none is left', async () => {
    await objects.putObject('later', gzipJson([{ put: effect('second') }]))
    await command(rows('first'))
    await command({ kind: 'stored_rows', object: 'later' })
    await command({ kind: 'cancel' })
    await advance()
    expect([await isStored('first'), await isStored('second')]).toEqual([true, true])
    expect(await instance()).toMatchObject({ status: 'cancelled', rev: 4, steps: 2, endedAt: now })
    expect(await single.store.get(tenant, activitiesKey(tenant, id, 2))).toBeDefined()
    expect([await open(), wakes]).toEqual([[], []])
  })

  it('that has ended drops what would start, continue, repeat or cancel it, and writes its last rows', async () => {
    await makeInstance({ status: 'completed' })
    const task = { id: 1, element_id: 'look', name: null, outcome: null, completed_by: 3 }
    await command({ kind: 'start', hops: 0, variables: {} })
    await command({ kind: 'complete', executionId: 'look', task, variables: {}, hops: 0 })
    await command({ kind: 'look', taskIds: [1] })
    await command({ kind: 'retry' })
    await command({ kind: 'cancel' })
    await command(rows('last'))
    await timer(now)
    await advance()
    expect([await open(), await isStored('last')]).toEqual([[], true])
    expect(await instance()).toMatchObject({ status: 'completed', rev: 3 })
  })

  it('carries out a timer when it is due, and not before', async () => {
    await makeInstance({ status: 'completed' })
    await timer(now)
    await timer(aMomentLater)
    await advance()
    expect(await open()).toEqual([aMomentLater])
    clock.advance(1)
    await advance()
    expect(await open()).toEqual([])
  })

  it('leaves commands and timers that wait for a retry, and carries out those after them', async () => {
    await command({ kind: 'start', hops: 0, variables: {} }, { parked: true })
    await timer(now, { parked: true })
    await command(rows('after'))
    await advance()
    expect([await open(), await isStored('after')]).toEqual([['start', now], true])
  })

  it('that is gone needs nothing', async () => {
    await put({ remove: instanceKey(tenant, id) })
    await command({ kind: 'cancel' })
    await advance()
    expect(wakes).toEqual([])
  })

  it('for too long is continued by the runner at once', async () => {
    await command(rows('first'))
    await command(rows('second'))
    await command(rows('third'))
    const slow = single.storeThrough(async (operation, call) => {
      if (operation === 'GetItem') clock.advance(6000)
      return call()
    })
    await advance(slow)
    expect([await open(), wakes]).toEqual([['rows'], [0]])
  })
})

it('a task that its record completes already is completed when it is looked at', async () => {
  const plans = tableOf(101, 'plans', [{ name: 'status', type: 'text' }])
  const head = { id: 1, tenant_id: 1, created_by: 3, updated_by: 3, created_at: now, updated_at: now, version: 1 }
  await put({ put: recordItem(plans, { ...head, data: { status: 'ready' } }, { tenant, userId: 3 }, `made ${id}`) })
  await put({ put: taskItem(tenant, pendingTask(id, { instanceId: id })) })
  const isReady = { op: 'eq', field: 'status', values: ['ready'] } as const
  const rules = [{ match: 'all', conditions: [isReady], groups: [] }] as const
  const wait = { taskId: id, instanceId: id, executionId: `look ${id}`, elementId: 'look', seenVersion: 1, rules }
  await put({ put: waitItem(tenant, 'plans', 1, wait) })
  await command({ kind: 'look', taskIds: [id] })
  const tables = { find: async () => plans } as never
  // Its instance continues next, which needs the process.
  await expect(advance(single.store, { tables })).rejects.toThrow('the process was opened')
  expect((await single.store.get(tenant, taskKey(tenant, id)))?.status).toBe('completed')
  expect(await open()).toEqual(['complete'])
})

describe('an instance that another worker advances', () => {
  const leased = (untilMs: number) => makeInstance({}, { lease_holder: 'other', lease_until: untilMs })

  it('is left alone, and continued by the runner when the lease has expired', async () => {
    await leased(clock.now() + leaseMs)
    await command({ kind: 'cancel' })
    await advance()
    expect([(await instance()).status, await open(), wakes]).toEqual(['running', ['cancel'], [21]])
  })

  it('is advanced as soon as the lease has expired', async () => {
    await leased(clock.now() + 500)
    await command({ kind: 'cancel' })
    await advance()
    expect([(await instance()).status, wakes]).toEqual(['cancelled', []])
  })

  it('is read again when that worker was faster', async () => {
    await command({ kind: 'cancel' })
    const disturbed = interruptedStore(single, 'TransactWriteItems', () => makeInstance({ rev: 4, hops: 2 }))
    await advance(disturbed)
    expect(await instance()).toMatchObject({ status: 'cancelled', rev: 5, hops: 2 })
  })

  it('is left to that worker by the runner, which looks again when a lease would have expired', async () => {
    await command({ kind: 'cancel' })
    const disturbed = interruptedStore(single, 'TransactWriteItems', () => makeInstance({ rev: 4, hops: 2 }))
    await advance(disturbed, {}, continueInstance)
    expect([(await instance()).status, await open(), wakes]).toEqual(['running', ['cancel'], [21]])
    wakes = []
    await leased(clock.now() + 500)
    await advance(single.store, {}, continueInstance)
    expect([(await instance()).status, await open(), wakes]).toEqual(['running', ['cancel'], [21]])
    clock.advance(501)
    await advance(single.store, {}, continueInstance)
    expect((await instance()).status).toBe('cancelled')
  })

  it('keeps a command that is younger than the instance as it was read', async () => {
    const wait = { kind: 'call', elementId: 'call', executionId: 'call_1', instanceId: 77 } as const
    const ended = { kind: 'called', executionId: 'call_1', instanceId: 77, end: 'completed', hops: 0 } as const
    let isRead = false
    const stale = single.storeThrough(async (operation, call) => {
      const answer = await call()
      if (operation === 'GetItem' && !isRead) {
        isRead = true
        // Another worker begins the call, and what it calls ends at once.
        await makeInstance({ rev: 4, waits: [wait] })
        await command(ended)
      }
      return answer
    })
    await advance(stale).catch(() => {})
    expect(await open()).toEqual(['called'])
  })
})

describe('an instance whose script finds no free thread', () => {
  it('stays to be done without an incident, and the runner repeats it within seconds', async () => {
    await command({ kind: 'start', hops: 0, variables: {} })
    await advance(single.store, { openProcess: () => Promise.reject(new NoThreadFree()) })
    expect([await open(), (await instance()).status]).toEqual([['start'], 'running'])
    expect(wakes).toHaveLength(1)
    expect(wakes[0]).toBeGreaterThanOrEqual(0)
    expect(wakes[0]).toBeLessThanOrEqual(6)
  })
})

describe('a step that fails', () => {
  it('gives back its lease, stays to be done, and fails whoever advances the instance', async () => {
    await command({ kind: 'cancel' })
    const away = new Error('the database cannot be reached')
    const failing = single.storeThrough(async (operation, call) => {
      if (operation !== 'TransactWriteItems') return call()
      await makeInstance({}, { lease_holder: 'me', lease_until: clock.now() + leaseMs })
      throw away
    })
    const mine = { ...clock, uuid: () => 'me' }
    await expect(advance(failing, { clock: mine })).rejects.toBe(away)
    expect([await open(), (await instance()).lease, wakes]).toEqual([['cancel'], undefined, []])
  })
})

describe('a retry', () => {
  const failed = { kind: 'failed', elementId: 'send', executionId: 'send', incidentId: 8 } as const

  it('resumes what was suspended, each as another try, and resolves the incidents of the steps', async () => {
    await makeInstance({ status: 'incident', stepIncidents: [id], hops: 7 })
    await put({ put: { ...incidentKey(tenant, id), status: 'open' } })
    await command({ kind: 'start', hops: 7, variables: {} }, { parked: true })
    await timer(now, { parked: true })
    await command({ kind: 'retry' })
    // What was resumed is carried out next, which needs the process.
    await expect(advance()).rejects.toThrow('the process was opened')
    expect(await instance()).toMatchObject({ status: 'running', rev: 4, stepIncidents: [], hops: 0 })
    expect((await single.store.get(tenant, incidentKey(tenant, id)))?.status).toBe('resolved')
    const range = { pk: instanceRowsPartition(tenant, id), prefix: commandRowsPrefix }
    const { commands, timers } = readCommandRows(await readAll(single.store, tenant, range))
    expect(commands).toMatchObject([{ command: { kind: 'start' }, isSuspended: false, isRetried: true }])
    expect(timers).toMatchObject([{ dueAt: now, isSuspended: false }])
    expect(new Set([...commands, ...timers].map(({ tryId }) => tryId)).size).toBe(1)
    expect(commands[0]?.tryId).not.toBe(commands[0]?.key.sk)
  })

  it('with nothing to repeat changes nothing', async () => {
    await command({ kind: 'retry' })
    await advance()
    expect([await open(), (await instance()).rev]).toEqual([[], 3])
  })

  it('of failed work beside a suspended step comes after what it resumed, with its command kept', async () => {
    await makeInstance({ status: 'incident', stepIncidents: [id], waits: [failed] })
    await put({ put: { ...incidentKey(tenant, id), status: 'open' } })
    await command({ kind: 'retry' })
    await expect(advance()).rejects.toThrow('the process was opened')
    expect(await instance()).toMatchObject({ status: 'incident', rev: 4, stepIncidents: [], waits: [failed] })
    expect(await open()).toEqual(['retry'])
  })

  it('of failed work alone repeats it', async () => {
    await makeInstance({ status: 'incident', waits: [failed] })
    await command({ kind: 'retry' })
    await expect(advance()).rejects.toThrow('the process was opened')
    expect(await instance()).toMatchObject({ status: 'incident', rev: 3 })
  })
})
