import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestApproval } from '../../../infra/local/demo/demo-process.ts'
import { demoProcess, demoTables, demoTemplates } from '../../../infra/local/demo/demo.ts'
import { createClient, type Client, type GenericPaths } from '../../../shared/client/index.ts'
import { userWith } from '../../make/builders/people.ts'
import { eventually, instanceOf, read, taskOf } from '../../make/builders/processes/processes.ts'
import type { components, paths } from '../../make/demo-api.d.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
let client: Client<GenericPaths & paths>
const create = async (): Promise<number> =>
  (await client.post('/api/e/requests', { body: { title: 'The lamp in room 7 is broken' } })).data.id
const move = (id: number, status: components['schemas']['RequestsStatusChoice']) =>
  client.patch('/api/e/requests/{id}', { params: { path: { id } }, body: { status } })
const complete = (id: number, outcome: string, by = client) =>
  by.post('/api/sys/process-tasks/{id}/complete', { params: { path: { id } }, body: { outcome } })
const notificationsOf = async (userId: number) => {
  await service.cloud.idle()
  return (await service.store.query({ id: 1 }, { pk: `T#1#BELL#${userId}` })).items
}
const reached = ({ history }: any) => history.map(({ element_id }: any) => element_id)

beforeAll(async () => {
  service = await startService()
  client = createClient({ baseUrl: service.url, token: service.admin.token })
  const demo = async (method: string, path: string, body: object) => {
    const { status, body: answer } = await api(method, path, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer.data
  }
  await demoTables(demo)
  await demoTemplates(demo)
  await demoProcess(demo)
})
afterAll(() => service?.stop())

describe('the request process of the demo', () => {
  it('runs from the creation of a request over its approval by a field to its end', async () => {
    const id = await create()
    expect(await taskOf(service, 'requests', id)).toMatchObject({
      element_id: 'approve',
      candidates: { roles: ['agent', 'admin'] },
      outcomes: ['approved', 'rejected'],
    })
    await move(id, 'in_progress')
    expect(await taskOf(service, 'requests', id, 'resolve')).toMatchObject({ name: 'Resolve the request' })
    await move(id, 'resolved')
    expect(reached(await instanceOf(service, 'requests', id, 'completed'))).toEqual([
      'created',
      'approve',
      'decision',
      'resolve',
      'done',
    ])
    const [resolved, approved] = await read(service, `/api/sys/process-tasks?model=requests&record_id=${id}`)
    expect([approved.outcome, approved.completed_by.id, resolved.element_id]).toEqual([
      'approved',
      service.admin.userId,
      'resolve',
    ])
  })

  it('notifies the users to whom its task is offered, and any of them can approve it', async () => {
    const agent = await userWith(service, [])
    await api('PUT', `/api/sys/users/${agent.id}`, { roles: ['agent'] })
    const id = await create()
    const task = await taskOf(service, 'requests', id)
    expect((await notificationsOf(agent.id)).map(({ title }) => title)).toContain('New task: Approve the request')
    const asAgent = createClient<GenericPaths & paths>({ baseUrl: service.url, token: agent.token })
    const { data: mine } = await asAgent.get('/api/sys/process-tasks', { params: { query: { mine: 'true' } } })
    expect(mine.map((one) => one.id)).toContain(task.id)
    expect((await complete(task.id, 'approved', asAgent)).data.status).toBe('completed')
    expect(await taskOf(service, 'requests', id)).toMatchObject({ element_id: 'resolve' })
  })

  it('closes a request that is rejected', async () => {
    const id = await create()
    const task = await taskOf(service, 'requests', id)
    await expect(complete(task.id, 'perhaps')).rejects.toMatchObject({ errors: { outcome: expect.anything() } })
    await complete(task.id, 'rejected')
    expect(reached(await instanceOf(service, 'requests', id, 'completed'))).toEqual([
      'created',
      'approve',
      'decision',
      'reject',
      'rejected',
    ])
    const { data: request } = await client.get('/api/e/requests/{id}', { params: { path: { id } } })
    expect(request.data.status).toBe('closed')
  })

  it('notifies the administrators when nobody approves it in time, and keeps waiting', async () => {
    const [{ id: templateId }] = await read(service, '/api/sys/process-templates')
    const { status } = await api('PUT', `/api/sys/process-templates/${templateId}`, {
      bpmn_xml: requestApproval.replace('tFormalExpression">P1D<', 'tFormalExpression">PT1S<'),
    })
    expect(status).toBe(200)
    const id = await create()
    await eventually('the escalation', async () =>
      (await notificationsOf(service.admin.userId)).find(({ title }) => title === 'Approval overdue'),
    )
    expect(await taskOf(service, 'requests', id)).toMatchObject({ element_id: 'approve', status: 'pending' })
    expect(reached(await instanceOf(service, 'requests', id, 'running'))).toEqual([
      'created',
      'approve',
      'overdue',
      'escalate',
      'escalated',
    ])
  })
})

describe('the mail of the demo', () => {
  it('has every value that a request and its client give it, in two languages', async () => {
    const [{ id, code }] = (await api('GET', '/api/sys/notification_templates')).body.data
    expect(code).toBe('request_created')
    const params = { request: { id: 7, title: 'The lamp is broken' }, client: { name: 'Ann' } }
    const [english, german] = await Promise.all(
      ['en', 'de-AT'].map((locale) =>
        api('POST', `/api/sys/notification_templates/${id}/preview`, { params, locale }).then(({ body }) => body.data),
      ),
    )
    expect(english).toMatchObject({ subject: 'Request 7: The lamp is broken', missing: [] })
    expect(german).toMatchObject({ subject: 'Anfrage 7: The lamp is broken', missing: [] })
  })
})
