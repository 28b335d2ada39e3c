import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createApproval, tableWithProcess } from '../../make/builders/processes/approvals.ts'
import {
  end,
  flow,
  inARow,
  instanceOf,
  read,
  scriptTask,
  setFields,
  start,
  taskOf,
} from '../../make/builders/processes/processes.ts'
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
  })
})
