import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { bpmn, end, inARow, makeProcess, start, taskOf } from '../../make/builders/processes/processes.ts'
import { type ApiCall } from '../../make/services/service.ts'
import {
  type FieldRuleWorld,
  fieldRuleWorld,
  permissions,
  unchangeable,
} from '../../make/services/worlds/field-rule-world.ts'

let world: FieldRuleWorld
let service: FieldRuleWorld['service']
let clerk: FieldRuleWorld['clerk']
let client: number
let record: number

const api: ApiCall = (method, path, body, token = clerk.token) => service.api(method, path, { token, body })
const asAdmin: ApiCall = (method, path, body) => api(method, path, body, service.admin.token)
const create = (model: string, data: object) => world.create(model, data)

beforeAll(async () => {
  world = await fieldRuleWorld()
  ;({ service, clerk, client, record } = world)
})
afterAll(() => service?.stop())

describe('writes', () => {
  it('of fields outside the rules are refused and name every one, with the other errors', async () => {
    const answer = await api('POST', '/api/e/requests', { title: 7, salary: 1, status: 'old', client_id: client })
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      {
        title: ['The title must be a string.'],
        salary: unchangeable,
        status: unchangeable,
        client_id: unchangeable,
      },
    ])
    const changed = await api('PATCH', `/api/e/requests/${record}`, { salary: 5000 })
    expect([changed.status, changed.body.errors]).toEqual([422, { salary: unchangeable }])
  })

  it('may send a record back as it was read', async () => {
    const { data } = (await api('GET', `/api/e/requests/${record}`)).body.data
    const { status, body } = await api('PUT', `/api/e/requests/${record}`, { ...data, title: 'Raise' })
    expect([status, body.data.data]).toEqual([200, { ...data, title: 'Raise' }])
    const other = await api('PUT', `/api/e/requests/${record}`, { ...data, status: 'old' })
    expect([other.status, other.body.errors]).toEqual([422, { status: unchangeable }])
  })

  it('take defaults for fields that may not be set, and answer without hidden ones', async () => {
    const { status, body } = await api('POST', '/api/e/requests', { title: 'New', secret: 'unseen' })
    expect([status, body.data.data]).toEqual([201, { title: 'New', status: 'new' }])
    const stored = (await asAdmin('GET', `/api/e/requests/${body.data.id}`)).body.data.data
    expect(stored).toMatchObject({ secret: 'unseen', stage: 'open' })
  })

  it('say what to do when a required field has no default and may not be set', async () => {
    const user = await userWith(service, permissions, [], { requests: { write: ['salary'] } })
    const { status, body } = await api('POST', '/api/e/requests', { salary: 1 }, user.token)
    expect([status, body.errors]).toEqual([
      422,
      { title: ['The title field is required, has no default, and you may not set it. Ask an administrator.'] },
    ])
  })

  it('do not name the current state of a hidden field', async () => {
    expect((await api('PATCH', `/api/e/requests/${record}`, { stage: 'shut' })).body.errors).toEqual({
      stage: ['The stage may not move to this state.'],
    })
    expect((await api('PATCH', `/api/e/requests/${record}`, { stage: 'signed' })).status).toBe(200)
  })

  it('are checked row by row in an import', async () => {
    const rows = [{ title: 'Row' }, { title: 'Row', salary: 1 }]
    const { body } = await api('POST', '/api/e/requests/import', { rows })
    expect(body.data).toMatchObject({ created: 1, failed: 1 })
    expect(body.data.errors[0]).toMatchObject({ row: 1, errors: { salary: unchangeable } })
  })

  it('of scripts are not limited', async () => {
    const table = (await asAdmin('GET', '/api/sys/entities/name/requests')).body.data
    const automations = [
      {
        kind: 'before_update',
        name: 'pay',
        script: '$data.salary = $api.query("requests", { filter: { salary: 5000 } }).length',
      },
    ]
    await asAdmin('PUT', '/api/sys/entities/name/requests', { ...table, automations })
    const { status, body } = await api('PATCH', `/api/e/requests/${record}`, { title: 'By script' })
    await asAdmin('PUT', '/api/sys/entities/name/requests', {
      ...(await asAdmin('GET', '/api/sys/entities/name/requests')).body.data,
      automations: [],
    })
    expect([status, Object.keys(body.data.data).sort()]).toEqual([200, ['client_id', 'status', 'title']])
    expect((await asAdmin('GET', `/api/e/requests/${record}`)).body.data.data.salary).toBe(1)
  })

  it('by the form of a task are those of the template for its candidates, and else of the user', async () => {
    const form =
      '<extensionElements><wf:form><wf:formField name="pay" type="float" bind="record.salary"/></wf:form></extensionElements>'
    const ask = (attributes: string) =>
      bpmn(inARow(start, `<userTask id="ask" name="Ask" ${attributes}>${form}</userTask>`, end))
    const own = await makeProcess(service, 'requests', 'own', ask(''))
    const offered = await makeProcess(service, 'requests', 'offered', ask(`wf:candidateUsers="${clerk.id}"`))
    const complete = async (template: number) => {
      const id = await create('requests', { title: 'Task' })
      await asAdmin('POST', '/api/sys/process-instances', { template_id: template, record_id: id })
      const task = await taskOf(service, 'requests', id)
      return api('POST', `/api/sys/process-tasks/${task.id}/complete`, { data: { pay: 9 } })
    }
    const refused = await complete(own.id)
    expect([refused.status, refused.body.errors]).toEqual([422, { 'data.pay': unchangeable }])
    expect((await complete(offered.id)).status).toBe(200)
  })
})
