import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setHooks } from '../../make/builders/hooks.ts'
import {
  bpmn,
  end,
  eventually,
  flow,
  inARow,
  instanceOf,
  makeProcess,
  read,
  scriptTask,
  setFields,
  start,
  taskOf,
  timer,
} from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const approvals = [
  { name: 'title', type: 'text', required: true },
  { name: 'status', type: 'text' },
  { name: 'amount', type: 'integer' },
  { name: 'note', type: 'text' },
]

beforeAll(async () => {
  service = await startService({ log: () => {} })
})
afterAll(() => service?.stop())
beforeEach(() => service.cloud.faults.clear())

let count = 0
/** Creates a table with one process that starts automatically. */
async function tableWith(elements: string, more: object = {}): Promise<string> {
  const name = `approvals_${++count}`
  await makeTable(service, name, approvals)
  await makeProcess(service, name, `process_${count}`, bpmn(elements), { is_auto_start: true, ...more })
  return name
}
const create = async (model: string, body: object = { title: 'A' }): Promise<number> =>
  (await api('POST', `/api/e/${model}`, body)).body.data.id
const elementsOf = (instance: any) =>
  instance.history.filter(({ status }: any) => status === 'completed').map(({ element_id }: any) => element_id)

describe('a process', () => {
  it('starts automatically for a new record, waits for its task, and completes when a field has the right value', async () => {
    const model = await tableWith(
      inARow(
        start,
        '<userTask id="approve" name="Approve" wf:complete_on_field_status="approved,granted"/>',
        setFields('close', { note: '${record.title} is done' }),
        end,
      ),
    )
    const id = await create(model)
    const task = await taskOf(service, model, id)
    expect(task).toMatchObject({ element_id: 'approve', name: 'Approve', status: 'pending', model, record_id: id })
    await api('PATCH', `/api/e/${model}/${id}`, { status: 'rejected' })
    await service.cloud.idle()
    expect(await taskOf(service, model, id)).toMatchObject({ id: task.id })
    await api('PATCH', `/api/e/${model}/${id}`, { status: 'granted' })
    const instance = await instanceOf(service, model, id, 'completed')
    expect(elementsOf(instance)).toEqual(['start', 'approve', 'close', 'end'])
    expect((await read(service, `/api/e/${model}/${id}`)).data.note).toBe('A is done')
    expect((await read(service, `/api/sys/history/${model}/${id}`))[0]).toMatchObject({
      source: 'process',
      changes: { note: { old: null, new: 'A is done' } },
    })
  })

  it('keeps a task open whose condition fails, reacts to later changes, and can be cancelled', async () => {
    const rules =
      "<extensionElements><wf:completeOn><wf:expression><![CDATA[record.amount.toFixed() === '5']]></wf:expression></wf:completeOn></extensionElements>"
    const model = await tableWith(inARow(start, `<userTask id="count">${rules}</userTask>`, end))
    const [met, left] = [await create(model), await create(model)]
    await taskOf(service, model, met)
    await api('PATCH', `/api/e/${model}/${met}`, { note: 'still nothing' })
    await api('PATCH', `/api/e/${model}/${met}`, { amount: 5 })
    await instanceOf(service, model, met, 'completed')
    const { instance_id } = await taskOf(service, model, left)
    expect((await api('POST', `/api/sys/process-instances/${instance_id}/cancel`)).body.data.status).toBe('cancelled')
  })

  it('never misses an update that follows the create at once', async () => {
    const model = await tableWith(inARow(start, '<userTask id="approve" wf:complete_on_field_status="approved"/>', end))
    const tries = Number(process.env.PROCESS_TRIES ?? 40)
    const ids = await Promise.all(
      Array.from({ length: tries }, async () => {
        const id = await create(model)
        await api('PATCH', `/api/e/${model}/${id}`, { status: 'approved' })
        return id
      }),
    )
    for (const id of ids) await instanceOf(service, model, id, 'completed', 60_000)
  }, 120_000)

  it('notices a change that is reverted at once, and what a field changed from', async () => {
    const rules =
      '<extensionElements><wf:completeOn outcome="reopened"><wf:fieldCondition field="status" op="changesFrom" value="closed"/></wf:completeOn></extensionElements>'
    const model = await tableWith(inARow(start, `<userTask id="watch">${rules}</userTask>`, end))
    const id = await create(model, { title: 'A', status: 'closed' })
    await taskOf(service, model, id)
    await api('PATCH', `/api/e/${model}/${id}`, { status: 'open' })
    await api('PATCH', `/api/e/${model}/${id}`, { status: 'closed' })
    await instanceOf(service, model, id, 'completed')
    expect(
      (await read(service, `/api/sys/process-tasks?model=${model}&record_id=${id}&status=completed`))[0],
    ).toMatchObject({ outcome: 'reopened' })
  })

  it('takes the flow whose condition on the record and the outcome of a task holds', async () => {
    const model = await tableWith(
      [
        start,
        '<userTask id="decide"/>',
        '<exclusiveGateway id="which" default="which_no"/>',
        setFields('yes', { note: 'yes by ${user.name}' }),
        setFields('no', { note: 'no' }),
        end,
        flow('start', 'decide'),
        flow('decide', 'which'),
        flow('which', 'yes', "${task.outcome === 'yes' && record.amount < 100}"),
        flow('which', 'no'),
        flow('yes', 'end'),
        flow('no', 'end'),
      ].join(''),
    )
    for (const [amount, outcome, note] of [
      [10, 'yes', 'yes by Grace Hopper'],
      [500, 'yes', 'no'],
      [10, 'nope', 'no'],
    ] as const) {
      const id = await create(model, { title: 'A', amount })
      const task = await taskOf(service, model, id)
      expect((await api('POST', `/api/sys/process-tasks/${task.id}/complete`, { outcome })).status).toBe(200)
      await instanceOf(service, model, id, 'completed')
      expect((await read(service, `/api/e/${model}/${id}`)).data.note).toBe(note)
    }
  })

  it('escalates when a timer is due, and keeps the task open', async () => {
    const model = await tableWith(
      [
        inARow(start, '<userTask id="work"/>', end),
        `<boundaryEvent id="late" attachedToRef="work" cancelActivity="false">${timer('timeDuration', 'PT1S')}</boundaryEvent>`,
        setFields('escalate', { note: 'late' }),
        flow('late', 'escalate'),
      ].join(''),
    )
    const id = await create(model)
    const task = await taskOf(service, model, id)
    const since = Date.now()
    await eventually('the escalation', async () =>
      (await read(service, `/api/e/${model}/${id}`)).data.note === 'late' ? true : undefined,
    )
    expect(Date.now() - since).toBeLessThan(4000)
    expect((await api('POST', `/api/sys/process-tasks/${task.id}/complete`, {})).status).toBe(200)
    expect(elementsOf(await instanceOf(service, model, id, 'completed'))).toEqual([
      'start',
      'work',
      'late',
      'escalate',
      'end',
    ])
  })

  it('stops with an incident that names the cause, and continues from there after a retry', async () => {
    const model = await tableWith(
      inARow(
        start,
        scriptTask(
          'pay',
          `if (!record.amount) throw new Error('no amount')
           variables.paid = [record.amount, $record.version, $context.source].join(' ')`,
        ),
        setFields('note', { note: 'paid ${variables.paid}' }),
        end,
      ),
    )
    const id = await create(model)
    const broken = await instanceOf(service, model, id, 'incident')
    expect(broken.incidents).toMatchObject([{ element_id: 'pay', message: 'no amount', status: 'open' }])
    expect(
      (await read(service, '/api/sys/incidents?status=open')).map(({ instance_id }: any) => instance_id),
    ).toContain(broken.id)
    await api('PATCH', `/api/e/${model}/${id}`, { amount: 7 })
    expect((await api('POST', `/api/sys/process-instances/${broken.id}/retry`)).status).toBe(200)
    const retried = await instanceOf(service, model, id, 'completed')
    expect(retried.incidents).toMatchObject([{ status: 'resolved' }])
    expect((await read(service, `/api/e/${model}/${id}`)).data.note).toBe('paid 7 2 process')
  })

  it('has an incident when no condition of a gateway holds, and continues after a retry once one does', async () => {
    const model = await tableWith(
      [
        start,
        '<exclusiveGateway id="which"/>',
        '<userTask id="big"/>',
        '<userTask id="small"/>',
        flow('start', 'which'),
        flow('which', 'big', 'record.amount > 100'),
        flow('which', 'small', 'record.amount < 10'),
      ].join(''),
    )
    const id = await create(model, { title: 'A', amount: 50 })
    const broken = await instanceOf(service, model, id, 'incident')
    expect(broken.incidents[0]).toMatchObject({ element_id: 'which', status: 'open' })
    await api('PATCH', `/api/e/${model}/${id}`, { amount: 5 })
    await api('POST', `/api/sys/process-instances/${broken.id}/retry`)
    expect(await taskOf(service, model, id)).toMatchObject({ element_id: 'small' })
  })

  it('is cancelled when its record is deleted', async () => {
    const model = await tableWith(inARow(start, '<userTask id="work"/>', end))
    const id = await create(model)
    const task = await taskOf(service, model, id)
    await api('DELETE', `/api/e/${model}/${id}`)
    await service.cloud.idle()
    const { data } = (await api('GET', `/api/sys/process-instances?status=cancelled`)).body
    expect(data.map(({ record_id, model: of }: any) => [of, record_id])).toContainEqual([model, id])
    expect((await api('POST', `/api/sys/process-tasks/${task.id}/complete`, {})).status).toBeGreaterThanOrEqual(400)
  })

  it('catches a named error of a script with a boundary event', async () => {
    const model = await tableWith(
      [
        inARow(start, scriptTask('pay', "$api.fail('too much', 'NO_BUDGET')"), end),
        '<boundaryEvent id="refused" attachedToRef="pay"><errorEventDefinition errorRef="NoBudget"/></boundaryEvent>',
        setFields('tell', { note: 'no budget' }),
        flow('refused', 'tell'),
      ].join(''),
    )
    const id = await create(model)
    await instanceOf(service, model, id, 'completed')
    expect((await read(service, `/api/e/${model}/${id}`)).data.note).toBe('no budget')
  })

  it('is started by a script of a hook once per record', async () => {
    const name = `approvals_${++count}`
    await makeTable(service, name, approvals)
    await makeProcess(service, name, `process_${count}`, bpmn(inARow(start, '<userTask id="work"/>', end)))
    await setHooks(service, name, [
      ['after_create', `$api.log($api.startProcess('process_${count}', '${name}', $data.id))`],
    ])
    const id = await create(name)
    await taskOf(service, name, id)
    expect(await read(service, `/api/sys/process-instances?model=${name}&record_id=${id}`)).toHaveLength(1)
  })

  it('starts for every row of an import', async () => {
    const model = await tableWith(inARow(start, setFields('greet', { note: 'hello ${record.title}' }), end))
    const rows = Array.from({ length: Number(process.env.PROCESS_ROWS ?? 30) }, (_, index) => ({
      title: `row ${index}`,
    }))
    const { body } = await api('POST', `/api/e/${model}/import`, { rows })
    for (const id of body.data.ids) await instanceOf(service, model, id, 'completed', 60_000)
    expect((await read(service, `/api/e/${model}/${body.data.ids[29]}`)).data.note).toBe('hello row 29')
  }, 120_000)

  it('stops with an incident after fifty steps of a loop that no user triggers', async () => {
    const task = (id: string, value: string) => `<userTask id="${id}" wf:complete_on_field_status="${value}"/>`
    const model = await tableWith(
      [
        start,
        '<exclusiveGateway id="again"/>',
        setFields('ping', { status: 'ping' }),
        task('wait', 'ping'),
        flow('start', 'again'),
        flow('again', 'ping'),
        flow('ping', 'wait'),
        flow('wait', 'again'),
      ].join(''),
    )
    const id = await create(model)
    const instance = await instanceOf(service, model, id, 'incident', 30_000)
    expect(instance.incidents[0].message).toContain('50 times')
  }, 40_000)
})

describe('an update of a record', () => {
  it('costs one Query when no task waits for it', async () => {
    const model = await tableWith(inARow(start, '<userTask id="work"/>', end))
    const id = await create(model)
    await taskOf(service, model, id)
    await service.cloud.idle()
    service.cloud.recordCalls()
    await api('PATCH', `/api/e/${model}/${id}`, { note: 'x' })
    await service.cloud.idle()
    const { calls } = service.cloud.callsOf()
    expect(
      calls.filter(({ functionName }: any) => /evaluation/i.test(functionName)).map(({ operation }) => operation),
    ).toEqual(['Query'])
    service.cloud.recordCalls(false)
  })
})
