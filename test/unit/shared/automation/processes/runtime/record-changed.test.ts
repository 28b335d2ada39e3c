import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { commandItem } from '../../../../../../shared/automation/processes/rows/command-rows.ts'
import { instanceRow } from '../../../../../../shared/automation/processes/rows/instance-row.ts'
import { instanceOfRecordItem } from '../../../../../../shared/automation/processes/rows/start-rows.ts'
import { taskItem } from '../../../../../../shared/automation/processes/rows/task-row.ts'
import { waitItem } from '../../../../../../shared/automation/processes/rows/wait-row.ts'
import { tenantKey } from '../../../../../../shared/platform/store/keys/auth.ts'
import { instanceKey, taskKey } from '../../../../../../shared/platform/store/keys/processes.ts'
import { deploymentWide } from '../../../../../../shared/platform/store/store.ts'
import { historyEntry } from '../../../../../../shared/records/history/history-entry.ts'
import { historyRow } from '../../../../../../shared/records/history/history-row.ts'
import { pendingTask } from '../../../../../make/builders/processes/pending-task.ts'
import { runningInstance } from '../../../../../make/builders/processes/running-instance.ts'
import { type ChangedRecord, leased, openChangedRecord, tenant } from '../../../../../make/services/changed-record.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

let single: SingleTable
/** Each test has a record of its own, with one instance of the same id. New instances count from 1. */
let nextId = 10_000
let record: ChangedRecord
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  record = await openChangedRecord(single, (nextId += 1))
})

describe('an update of a record', () => {
  const statuses = ['new', 'ready', 'ready', 'ended']
  const isReady = { op: 'changesTo', field: 'status', values: ['ready'] }
  /** The record has four versions; its task has seen `seenVersion`. */
  async function waitFor(condition: object, seenVersion: number): Promise<void> {
    const items = statuses.map((status, index) => record.itemOf(index + 1, status))
    for (const [index, item] of items.entries())
      await record.put(historyRow(historyEntry(items[index - 1], item)!).item)
    await record.put(items.at(-1)!)
    await record.put(taskItem(tenant, pendingTask(record.id, { instanceId: record.id, recordId: record.id })))
    const rules = [{ match: 'all', outcome: 'done', conditions: [condition], groups: [] }]
    const wait = {
      taskId: record.id,
      instanceId: record.id,
      executionId: `look ${record.id}`,
      elementId: 'look',
      seenVersion,
    }
    await record.put(waitItem(tenant, 'plans', record.id, { ...wait, rules: rules as never }))
  }
  const task = () => single.store.get(tenant, taskKey(tenant, record.id))

  it('completes the task that waits for that version, in the name of who made it', async () => {
    await waitFor(isReady, 1)
    await record.changed({ version: 2, impersonator: 9 })
    expect(await task()).toMatchObject({ status: 'completed', outcome: 'done', completed_by: 3 })
    expect(await record.commandsOf()).toMatchObject([
      {
        command: {
          kind: 'complete',
          executionId: `look ${record.id}`,
          task: { outcome: 'done' },
          variables: { outcome: 'done' },
          hops: 0,
          old: { status: 'new' },
        },
        by: { userId: 3, impersonatorId: 9 },
      },
    ])
    expect(record.wakes).toEqual([record.id])
  })

  it('costs one Query when no task waits for it', async () => {
    const calls: string[] = []
    const counting = single.storeThrough((operation, call) => {
      calls.push(operation)
      return call()
    })
    await record.changed({}, false, counting)
    expect(calls).toEqual(['Query'])
  })

  it('is judged by the version that it made, whatever has changed since', async () => {
    await waitFor(isReady, 1)
    for (const version of [3, 4]) await record.changed({ version })
    expect([(await task())?.status, await record.commandsOf()]).toEqual(['pending', []])
  })

  it('does not complete a task that was opened for it, or after it', async () => {
    await waitFor(isReady, 2)
    await record.changed({ version: 2 })
    expect((await task())?.status).toBe('pending')
    await waitFor(isReady, 3)
    await record.changed({ version: 2 })
    expect([(await task())?.status, await record.commandsOf()]).toEqual(['pending', []])
  })

  it('counts the processes that led to it', async () => {
    await waitFor(isReady, 1)
    await record.changed({ version: 2, hops: 4 })
    expect(await record.commandsOf()).toMatchObject([{ command: { kind: 'complete', hops: 5 } }])
  })

  it('completes a task once, however often it is reported', async () => {
    await waitFor(isReady, 1)
    for (const isRepeat of [false, true]) await record.changed({ version: 2 }, isRepeat)
    expect(await record.commandsOf()).toHaveLength(1)
  })

  it('of a tenant that is gone is dropped', async () => {
    await waitFor(isReady, 1)
    await single.store.write(deploymentWide, { remove: tenantKey(tenant) })
    await record.changed({ version: 2 }, true)
    expect((await task())?.status).toBe('pending')
  })

  it('that is reported again continues what the first report began', async () => {
    await record.put(instanceRow(tenant, { ...runningInstance(record.id), recordId: record.id }, 'free').item)
    await record.put(
      commandItem(
        tenant,
        record.id,
        { kind: 'cancel' },
        { userId: 3 },
        { nowMs: record.clock.now(), uuid: crypto.randomUUID() },
      ),
    )
    await record.changed({})
    expect(await record.commandsOf()).toHaveLength(1)
    await record.changed({}, true)
    expect(await record.commandsOf()).toEqual([])
    expect((await single.store.get(tenant, instanceKey(tenant, record.id)))?.status).toBe('cancelled')
  })
})

describe('a record that is deleted', () => {
  it('cancels its processes, in the name of who deleted it, and no others', async () => {
    await record.put({
      ...instanceRow(tenant, { ...runningInstance(record.id + 1000), recordId: record.id + 1000 }, 'made').item,
      ...leased,
    })
    await record.put(instanceOfRecordItem(tenant, 'plans', record.id + 1000, record.id + 1000))
    await record.changed({ action: 'delete', impersonator: 9 })
    expect(await record.commandsOf()).toMatchObject([
      { command: { kind: 'cancel' }, by: { userId: 3, impersonatorId: 9 }, isSuspended: false },
    ])
    expect(record.wakes).toEqual([record.id])
    expect(await record.commandsOf(record.id + 1000)).toEqual([])
  })

  it('of a tenant that is gone cancels nothing', async () => {
    await single.store.write(deploymentWide, { remove: tenantKey(tenant) })
    await record.changed({ action: 'delete' })
    expect(await record.commandsOf()).toEqual([])
  })

  it('without a process leaves nothing', async () => {
    await record.changed({ action: 'delete', id: record.id + 5000 })
    expect(await record.commandsOf(record.id + 5000)).toEqual([])
  })
})
