import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bpmn, end, inARow, instanceOf, makeProcess, read, scriptTask, start, taskOf } from '../make/processes.ts'
import { startService, type TestService } from '../make/service.ts'
import { makeTable } from '../make/tables.ts'

/** Every call with `FAULTS=all`, every ninth otherwise. */
const every = process.env.FAULTS === 'all' ? 1 : 9
const actions = ['crash-before', 'crash-after', 'lose-answer', 'throttle', 'repeat'] as const

let service: TestService
let evaluation: string
let processes: string
const api = (method: string, path: string, body?: unknown) => service.api(method, path, { token: service.admin.token, body })
const create = async (): Promise<number> => (await api('POST', '/api/e/orders', { title: 'A' })).body.data.id

const createRecord = (what: string) =>
  `<serviceTask id="make_${what}" wf:action="createRecord"><extensionElements><wf:createRecord table="made"><wf:set field="what" value="${what}"/><wf:set field="of" value="\${record.id}"/></wf:createRecord></extensionElements></serviceTask>`

beforeAll(async () => {
  // Whoever dies in the middle of a step keeps the instance for no longer than this.
  service = await startService({ log: () => {}, environment: { PROCESS_LEASE_MS: '400' } })
  await makeTable(service, 'made', [{ name: 'what', type: 'text' }, { name: 'of', type: 'integer' }])
  await makeTable(service, 'orders', [{ name: 'title', type: 'text' }, { name: 'status', type: 'text' }])
  const steps = inARow(
    start,
    createRecord('first'),
    scriptTask('script', "$api.create('made', {what: 'script', of: record.id}); $api.sendPushNotification('made', 'by ' + record.id, [user.id])"),
    '<userTask id="work" wf:complete_on_field_status="done"/>',
    createRecord('last'),
    end,
  )
  await makeProcess(service, 'orders', 'order', bpmn(steps), { is_auto_start: true })
  evaluation = service.cloud.functions.find((name) => /evaluation/i.test(name)) as string
  processes = service.cloud.functions.find((name) => /^processes/i.test(name)) as string
})
afterAll(() => service?.stop())
beforeEach(() => service.cloud.faults.clear())

async function callsOf(functionName: string, act: () => Promise<unknown>): Promise<number> {
  await service.cloud.idle()
  service.cloud.recordCalls()
  await act()
  await service.cloud.idle()
  const { calls } = service.cloud.callsOf()
  service.cloud.recordCalls(false)
  return calls.filter((call) => call.functionName === functionName).length
}

const madeFor = async (id: number): Promise<string[]> => (await read(service, `/api/e/made?sort=id&filter=${encodeURIComponent(JSON.stringify({ of: id }))}`)).map(({ data }: any) => data.what)
const bellsFor = async (id: number): Promise<number> => {
  const { items } = await service.store.query({ id: 1 }, { pk: `T#1#BELL#${service.admin.userId}`, limit: 1000 })
  return items.filter(({ text }) => text === `by ${id}`).length
}

/** Lets one thing go wrong at each call that `act` leads to, and looks at what became of its record. */
async function disturb(functionName: string, calls: number, act: () => Promise<number>, look: (id: number, what: string) => Promise<void>): Promise<void> {
  for (const [offset, action] of actions.entries()) {
    for (let skip = offset % every; skip < calls; skip += every) {
      service.cloud.faults.clear()
      service.cloud.faults.inject({ functionName, skip, action })
      const id = await act()
      await look(id, `${action} at call ${skip}`)
    }
  }
}

describe('whatever happens at a call of a step', () => {
  it('that starts an instance: there is one, with every token, and what it makes is made once', async () => {
    const calls = await callsOf(evaluation, async () => taskOf(service, 'orders', await create()))
    expect(calls).toBeGreaterThan(8)
    await disturb(evaluation, calls, create, async (id, what) => {
      expect(await taskOf(service, 'orders', id), what).toMatchObject({ element_id: 'work', status: 'pending' })
      await service.cloud.idle()
      expect(await read(service, `/api/sys/process-instances?model=orders&record_id=${id}`), what).toHaveLength(1)
      expect(await read(service, `/api/sys/process-tasks?model=orders&record_id=${id}`), what).toHaveLength(1)
      expect(await madeFor(id), what).toEqual(['first', 'script'])
      expect(await bellsFor(id), what).toBe(1)
    })
  }, 600_000)

  it('that a field of the record leads to: the task is completed once, and the process goes on', async () => {
    const finish = async (): Promise<number> => {
      const id = await create()
      await taskOf(service, 'orders', id)
      await service.cloud.idle()
      return id
    }
    const calls = await callsOf(evaluation, async () => {
      const id = await create()
      await api('PATCH', `/api/e/orders/${id}`, { status: 'done' })
      await instanceOf(service, 'orders', id, 'completed')
    })
    for (const [offset, action] of actions.entries()) {
      for (let skip = offset % every; skip < calls / 2; skip += every) {
        service.cloud.faults.clear()
        const id = await finish()
        service.cloud.faults.inject({ functionName: evaluation, skip, action })
        await api('PATCH', `/api/e/orders/${id}`, { status: 'done' })
        await instanceOf(service, 'orders', id, 'completed', 20_000)
        await service.cloud.idle()
        expect(await madeFor(id), `${action} at call ${skip}`).toEqual(['first', 'script', 'last'])
      }
    }
  }, 600_000)

  it('that somebody’s completion leads to: answered once, and carried out even when its process died', async () => {
    for (const action of ['crash-before', 'crash-after', 'lose-answer'] as const) {
      for (let skip = 1; skip < 12; skip += every) {
        service.cloud.faults.clear()
        const id = await create()
        const task = await taskOf(service, 'orders', id)
        await service.cloud.idle()
        service.cloud.faults.inject({ functionName: processes, skip, action })
        const { status } = await api('POST', `/api/sys/process-tasks/${task.id}/complete`, {})
        service.cloud.faults.clear()
        // Whoever was not answered asks again: it was done, or it is done now.
        const second = status < 500 ? 409 : (await api('POST', `/api/sys/process-tasks/${task.id}/complete`, {})).status
        expect([200, 409]).toContain(second)
        await sweepInstances()
        await instanceOf(service, 'orders', id, 'completed', 20_000)
        expect(await madeFor(id), `${action} at call ${skip}`).toEqual(['first', 'script', 'last'])
      }
    }
  }, 600_000)
})

/** Commands that nobody carried out are due after a minute: brings that moment forward, and lets the sweeper find them. */
async function sweepInstances(): Promise<void> {
  for (let shard = 0; shard < 4; shard += 1) {
    const { items } = await service.store.query({ id: 1 } as never, { pk: `T#1#PI` })
    for (const { sk } of items) {
      const open = await service.store.query({ id: 1 }, { pk: `T#1#PX#${Number(sk)}`, prefix: 'Q#C#' })
      for (const { pk, sk: at } of open.items) {
        await service.store.write({ id: 1 }, { update: { pk: String(pk), sk: String(at) }, change: { expression: 'SET s20 = :past', values: { ':past': `2000-01-01T00:00:00.000Z#1#${Number(sk)}` } }, if: { expression: 'attribute_exists(pk)' } }).catch(() => {})
      }
    }
  }
  await service.cloud.invoke('due-sweeper')
}
