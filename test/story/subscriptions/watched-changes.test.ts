import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type TestService, sharedService } from '../../make/services/service.ts'

type User = Awaited<ReturnType<typeof userWith>>

let service: TestService
let agent: User
let watcher: User
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const create = async (data: object = {}): Promise<number> =>
  (await api('POST', '/api/e/requests', { title: 'Printer', ...data })).body.data.id
async function change(id: number, data: object, token = agent.token): Promise<void> {
  const { status, body } = await api('PATCH', `/api/e/requests/${id}`, data, token)
  if (status !== 200) throw new Error(JSON.stringify(body))
  await service.cloud.idle()
}
const watch = (id: number, user: User) => api('POST', `/api/e/requests/${id}/watchers`, { user_ids: [user.id] })
/** What rang in the bell of a user about a record, the oldest first. */
const rang = async ({ token }: Pick<User, 'token'>, id: number): Promise<string[]> =>
  (await api('GET', '/api/notifications?per_page=100', undefined, token)).body.data
    .filter(({ record_id, category }: any) => record_id === id && category === 'change')
    .map(({ title, text }: any) => `${title} | ${text}`)
    .toReversed()

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'requests', [
    { name: 'title', label: 'Title', type: 'text' },
    { name: 'owner_id', label: 'Owner', type: 'user' },
    {
      name: 'status',
      label: 'Status',
      type: 'state_model',
      states: [
        { slug: 'new', label: 'New', is_initial: true },
        { slug: 'closed', label: 'Closed' },
      ],
      transitions: [
        { from: 'new', to: 'closed' },
        { from: 'closed', to: 'new' },
      ],
    },
  ])
  agent = await userWith(service, ['requests.*'])
  watcher = await userWith(service, ['requests.read'])
})
afterAll(() => service?.stop())

const agentName = async (): Promise<string> => (await api('GET', '/api/user', undefined, agent.token)).body.data.name

describe('those who watch a record', () => {
  it('are told once that its state changed, from what to what, and never who changed it', async () => {
    const id = await create()
    await watch(id, watcher)
    await watch(id, agent)
    await change(id, { status: 'closed', title: 'Scanner' })
    const said = `Requests ${id} "Scanner" | ${await agentName()}: Status changed from New to Closed, Title changed from "Printer" to "Scanner".`
    expect(await rang(watcher, id)).toEqual([said])
    expect(await rang(service.admin, id)).toEqual([said])
    expect(await rang(agent, id)).toEqual([])
  })

  it('are told of who is in its fields, the former one included', async () => {
    const [first, second] = [await userWith(service, ['requests.read']), await userWith(service, ['requests.read'])]
    const id = await create({ owner_id: first.id })
    await change(id, { owner_id: second.id })
    for (const user of [first, second]) {
      const [said] = await rang(user, id)
      expect(said).toMatch(/: Owner changed from User \d+ to User \d+\.$/)
    }
  })

  it('are not told of creates, of other fields, and of imports', async () => {
    const id = await create({ owner_id: watcher.id })
    await change(id, { title: 'Scanner' })
    const { body } = await api('POST', '/api/e/requests/import', { rows: [{ title: 'Row', owner_id: watcher.id }] })
    await service.cloud.idle()
    expect(await rang(watcher, id)).toEqual([])
    expect(await rang(watcher, body.data.ids[0])).toEqual([])
  })

  it('are told of a delete and of the restore after it, also whoever was added', async () => {
    const id = await create()
    await watch(id, watcher)
    const before = (await api('GET', `/api/e/requests/${id}`)).body.data.updated_at
    await api('DELETE', `/api/e/requests/${id}`, undefined, agent.token)
    await service.cloud.idle()
    const name = await agentName()
    expect(await rang(watcher, id)).toEqual([`Requests ${id} "Printer" | ${name}: Record deleted.`])
    await api('POST', `/api/e/requests/${id}/restore`, { as_of: before }, agent.token)
    await service.cloud.idle()
    expect(await rang(watcher, id)).toEqual([
      `Requests ${id} "Printer" | ${name}: Record deleted.`,
      `Requests ${id} "Printer" | ${name}: Record restored.`,
    ])
    expect(await rang(service.admin, id)).toHaveLength(2)
  })

  it('are told of what a script changes', async () => {
    const id = await create()
    await watch(id, watcher)
    await setHooks(service, 'requests', [
      ['after_update', `if ($data.title === 'done') $api.update('requests', $context.id, { status: 'closed' })`],
    ])
    await change(id, { title: 'done' })
    await setHooks(service, 'requests', [])
    expect(await rang(watcher, id)).toEqual([expect.stringMatching(/Status changed from New to Closed by a script\.$/)])
  })

  it('are not told when they may not read the record, or what changed, or have stopped', async () => {
    const rules = [{ table: 'requests', action: 'read', filter: { status: 'new' } }]
    const limited = await userWith(service, ['requests.read'], rules)
    const blind = await userWith(service, ['requests.read'], [], { requests: { read: ['title'] } })
    const stopped = await userWith(service, ['requests.read'])
    const id = await create({ owner_id: stopped.id })
    for (const user of [limited, blind]) await api('POST', `/api/e/requests/${id}/watchers`, undefined, user.token)
    await api('DELETE', `/api/e/requests/${id}/watchers`, undefined, stopped.token)
    await change(id, { status: 'closed' })
    for (const user of [limited, blind, stopped]) expect(await rang(user, id)).toEqual([])
    await change(id, { status: 'new', title: 'Scanner' })
    expect(await rang(limited, id)).toHaveLength(1)
    expect(await rang(blind, id)).toEqual([])
  })

  it('are told once, although the change feed delivers the change again', async () => {
    const id = await create({ owner_id: watcher.id })
    await change(id, { status: 'closed' })
    await change(id, { status: 'new' })
    const name = service.cloud.functions.find((one) => one.startsWith('SubscriptionEvaluation')) as string
    const event = {
      v: 1,
      tenant_id: service.tenant.id,
      model: 'requests',
      id,
      action: 'update',
      actor: agent.id,
      source: null,
    }
    for (const version of [2, 3, 2]) {
      const body = JSON.stringify({ ...event, version, watched: true })
      const Records = [{ messageId: 'again', body, attributes: { ApproximateReceiveCount: '2' } }]
      expect(await service.cloud.invoke(name, { Records })).toEqual({ batchItemFailures: [] })
    }
    expect(await rang(watcher, id)).toHaveLength(2)
  })

  it('are told where they want it', async () => {
    const quiet = await userWith(service, ['requests.read'])
    await api('PUT', '/api/user/preferences', { notifications: { change: { bell: false } } }, quiet.token)
    const id = await create({ owner_id: quiet.id })
    await change(id, { status: 'closed' })
    expect(await rang(quiet, id)).toEqual([])
  })
})
