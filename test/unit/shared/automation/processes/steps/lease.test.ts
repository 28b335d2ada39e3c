import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { taskItem, type Task } from '../../../../../../shared/automation/processes/rows/task-row.ts'
import type { InstanceWork } from '../../../../../../shared/automation/processes/steps/commit-step.ts'
import { acquireLease, releaseLease } from '../../../../../../shared/automation/processes/steps/lease.ts'
import { instanceKey, taskKey } from '../../../../../../shared/platform/store/keys/processes.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import { ConditionFailed, TransactionRefused } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { pendingTask } from '../../../../../make/builders/processes/pending-task.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme Ltd', configVersion: 1 }
const leaseMs = 20_000
let single: SingleTable
let nowMs = 0
let id = 0
beforeAll(async () => {
  single = await openSingleTable()
})
beforeEach(async () => {
  nowMs = Date.parse('2026-11-23T08:00:00Z')
  id += 1
  await single.store.write(tenant, { put: { ...instanceKey(tenant, id), rev: 3 } })
})
afterAll(() => single?.close())

const work = (holder: string, { store = single.store as Store, completed = [] as string[] } = {}): InstanceWork =>
  ({
    services: { store, clock: { now: () => nowMs, uuid: () => crypto.randomUUID() }, leaseMs },
    tenant,
    holder,
    open: { commands: completed.map((executionId) => ({ command: { kind: 'complete', executionId } })) },
  }) as unknown as InstanceWork
const acquire = (holder: string, rev = 3): Promise<void> => acquireLease(work(holder), { id, rev }, [])
const holderNow = async () => (await single.store.get(tenant, instanceKey(tenant, id)))?.lease_holder

describe('the lease on an instance', () => {
  it('is held by one worker until it expires', async () => {
    await acquire('a')
    await expect(acquire('b')).rejects.toThrow(ConditionFailed)
    nowMs += leaseMs - 1
    await expect(acquire('b')).rejects.toThrow(ConditionFailed)
    nowMs += 2
    await acquire('b')
    expect(await holderNow()).toBe('b')
    await expect(acquire('a')).rejects.toThrow(ConditionFailed)
  })

  it('is renewed by its holder, who keeps it longer', async () => {
    await acquire('a')
    nowMs += leaseMs - 1
    await acquire('a')
    nowMs += leaseMs - 1
    await expect(acquire('b')).rejects.toThrow(ConditionFailed)
  })

  it('is refused when another worker has stored a step since', async () => {
    await expect(acquire('a', 2)).rejects.toThrow(ConditionFailed)
    expect(await holderNow()).toBeUndefined()
  })

  it('is released by its holder only', async () => {
    await acquire('a')
    await releaseLease(single.store, tenant, id, 'b')
    expect(await holderNow()).toBe('a')
    await releaseLease(single.store, tenant, id, 'a')
    expect(await holderNow()).toBeUndefined()
    await acquire('b')
  })
})

describe('tasks that the step ends', () => {
  const waitFor = (taskId: number) => ({
    kind: 'task' as const,
    elementId: 'look',
    executionId: `look ${taskId}`,
    taskId,
  })
  const makeTask = (taskId: number, status: Task['status']) =>
    single.store.write(tenant, {
      put: taskItem(tenant, pendingTask(taskId, { instanceId: id, status })),
    })
  const statusOf = async (taskId: number) => (await single.store.get(tenant, taskKey(tenant, taskId)))?.status

  it('are cancelled while they are pending', async () => {
    const task = id * 1000
    await makeTask(task, 'pending')
    await acquireLease(work('a'), { id, rev: 3 }, [waitFor(task)])
    expect(await statusOf(task)).toBe('cancelled')
  })

  it('refuse the step when one was completed since the commands were read, and not when its command was read', async () => {
    const task = id * 1000
    await makeTask(task, 'completed')
    await expect(acquireLease(work('a'), { id, rev: 3 }, [waitFor(task)])).rejects.toThrow(ConditionFailed)
    await acquireLease(work('a', { completed: [`look ${task}`] }), { id, rev: 3 }, [waitFor(task)])
    expect(await statusOf(task)).toBe('completed')
  })

  it.each([
    ['another worker took the lease', { lease_holder: 'b' }],
    ['another worker stored a step', { rev: 4, lease_holder: 'a' }],
  ])('stay as they are when %s in between', async (_title, change) => {
    const task = id * 1000
    await makeTask(task, 'pending')
    const disturbed = single.storeThrough(async (operation, call) => {
      if (operation === 'TransactWriteItems')
        await single.store.write(tenant, { put: { ...instanceKey(tenant, id), rev: 3, ...change } })
      return call()
    })
    await expect(acquireLease(work('a', { store: disturbed }), { id, rev: 3 }, [waitFor(task)])).rejects.toThrow(
      TransactionRefused,
    )
    expect(await statusOf(task)).toBe('pending')
  })
})
