import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Template } from '../../../../../../shared/automation/processes/templates/template.ts'
import type { ChangeEvent } from '../../../../../../shared/platform/queue/change-feed/change-event.ts'
import { tenantKey } from '../../../../../../shared/platform/store/keys/auth.ts'
import { instanceKey } from '../../../../../../shared/platform/store/keys/processes.ts'
import { deploymentWide } from '../../../../../../shared/platform/store/store.ts'
import { type ChangedRecord, openChangedRecord, tenant } from '../../../../../make/services/changed-record.ts'
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

const hasInstance = async (instanceId: number) =>
  (await single.store.get(tenant, instanceKey(tenant, instanceId))) !== undefined

describe('a record that is created', () => {
  const template = (changes: Partial<Template> = {}): Template => ({
    id: record.id * 10,
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
    const failure = await record.changed({ action: 'create', version: 1, ...change }).catch((error: Error) => error)
    if (failure && failure.message !== 'the process was opened') throw failure
    wasAdvanced = failure !== undefined
    return (await instanceIds()).filter((one) => !before.includes(one))
  }
  const instanceIds = async () =>
    (await single.itemsOf('T#1#PI')).filter(({ kind }) => kind === 'process_instance').map(({ sk }) => Number(sk))
  const makeRecord = () => record.put(record.itemOf(1, 'new'))

  it('starts the processes of its table, in the name of who created it', async () => {
    record.templates = [template()]
    const [instance] = await started({ impersonator: 9 })
    expect(await single.store.get(tenant, instanceKey(tenant, instance!))).toMatchObject({
      code: 'check',
      model: 'plans',
      record_id: record.id,
      source: 'auto',
      started_by: 3,
      hops: 0,
    })
    expect(wasAdvanced).toBe(true)
    expect(await record.commandsOf(instance)).toMatchObject([
      { command: { kind: 'start', hops: 0 }, by: { userId: 3, impersonatorId: 9 } },
    ])
  })

  it('starts each of them once, however often it is reported', async () => {
    record.templates = [template()]
    const [instance] = await started()
    expect([await started(), wasAdvanced, await hasInstance(instance!)]).toEqual([[], true, true])
  })

  it.each([
    ['is not active', { isActive: false }],
    ['is started by people', { isAutoStart: false }],
    ['is one of another table', { table: 'others' }],
  ])('does not start a process that %s', async (_title, change) => {
    record.templates = [template(change)]
    expect(await started()).toEqual([])
  })

  it('starts no process that was activated after it, however late the change is told', async () => {
    record.templates = [template({ activeSince: '2026-11-20T08:00:01.000Z' })]
    expect(await started({ at: '2026-11-20T08:00:00.999Z' })).toEqual([])
    expect(await started({ at: '2026-11-20T08:00:01.000Z' })).toHaveLength(1)
  })

  it('counts the processes that led to it', async () => {
    record.templates = [template()]
    const [instance] = await started({ hops: 4 })
    expect(await record.commandsOf(instance)).toMatchObject([{ command: { kind: 'start', hops: 5 } }])
  })

  it.each([
    ['holds', { status: 'ok', value: 1 }, 1],
    ['does not hold', { status: 'ok', value: '' }, 0],
    ['fails', { status: 'error', error: { message: 'x is not defined' } }, 0],
  ])('starts a process with a condition when it holds: it %s', async (_title, result, count) => {
    await makeRecord()
    record.templates = [template({ startCondition: '/^(new)$/.test(record.status)' })]
    record.conditionResult = result
    expect(await started()).toHaveLength(count)
    expect(record.conditions).toHaveLength(1)
  })

  it('that is gone already starts no process with a condition', async () => {
    record.templates = [template({ startCondition: 'true' })]
    record.conditionResult = { status: 'ok', value: true }
    expect([await started(), record.conditions]).toEqual([[], []])
  })

  it('of a tenant that is gone starts nothing', async () => {
    record.templates = [template()]
    await single.store.write(deploymentWide, { remove: tenantKey(tenant) })
    expect(await started()).toEqual([])
  })
})
