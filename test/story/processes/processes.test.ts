import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createApproval, elementsOf, makeApprovals, tableWithProcess } from '../../make/builders/processes/approvals.ts'
import {
  bpmn,
  end,
  eventually,
  flow,
  inARow,
  instanceOf,
  makeProcess,
  read,
  setFields,
  start,
  taskOf,
  timer,
} from '../../make/builders/processes/processes.ts'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { type ApiCall, sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api: ApiCall = (method, path, body, token = service.admin.token) => service.api(method, path, { token, body })
const tableWith = (elements: string, more?: object) => tableWithProcess(service, elements, more)
const create = (model: string, body?: object) => createApproval(api, model, body)

beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.stop())
beforeEach(() => service.cloud.faults.clear())

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
  })

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
    // Not with the sweep, which comes by each minute.
    expect(Date.now() - since).toBeLessThan(15_000)
    expect((await api('POST', `/api/sys/process-tasks/${task.id}/complete`, {})).status).toBe(200)
    expect(elementsOf(await instanceOf(service, model, id, 'completed'))).toEqual([
      'start',
      'work',
      'late',
      'escalate',
      'end',
    ])
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

  it('is started by a script of a hook once per record', async () => {
    const name = await makeApprovals(service)
    await makeProcess(service, name, 'by_hook', bpmn(inARow(start, '<userTask id="work"/>', end)))
    await setHooks(service, name, [['after_create', `$api.log($api.startProcess('by_hook', '${name}', $data.id))`]])
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
  })
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
