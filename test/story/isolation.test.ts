import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../../functions/reference/all-routes.ts'
import { otherTenant, userWith } from '../make/people.ts'
import { startService, type TestService } from '../make/service.ts'
import { bpmn, end, inARow, makeProcess, start } from '../make/processes.ts'
import { makeRequests } from '../make/tables.ts'

let service: TestService
let foreign: string
let powerless: string
let ids: Record<string, number | string>
const protectedRoutes = allRoutes.filter((route) => !route.open).map((route) => ({ key: route.key, route }))

beforeAll(async () => {
  service = await startService()
  await makeRequests(service)
  const { token } = service.admin
  const record = await service.api('POST', '/api/e/requests', { token, body: { title: 'Secret title', code: 'S-1' } })
  const user = await userWith(service, [])
  const roles = await service.api('GET', '/api/sys/roles', { token })
  const relation = await service.api('POST', '/api/sys/relations', { token, body: { name: 'duplicates', l_table: 'requests', r_table: 'requests' } })
  const table = await service.api('GET', '/api/sys/entities/name/requests', { token })
  const template = await makeProcess(service, 'requests', 'secret', bpmn(inARow(start, '<userTask id="wait" name="Secret task"/>', end)))
  const instance = await service.api('POST', '/api/sys/process-instances', { token, body: { template_id: template.id, record_id: record.body.data.id } })
  ids = {
    template: template.id,
    instance: instance.body.data.id,
    task: instance.body.data.tokens[0].task_id,
    record: record.body.data.id,
    user: user.id,
    relation: relation.body.data.id,
    table: table.body.data.id,
    role: Math.max(...roles.body.data.map(({ id }: { id: number }) => id)),
  }
  powerless = user.token
  foreign = (await otherTenant(service)).token
})
afterAll(() => service?.stop())

/** The route's address with every id that exists in the first tenant. */
function address(path: string): string {
  const administered = {
    '/api/sys/users': ids.user,
    '/api/sys/roles': ids.role,
    '/api/sys/relations': ids.relation,
    '/api/sys/process-templates': ids.template,
    '/api/sys/process-instances': ids.instance,
    '/api/sys/process-tasks': ids.task,
  }
  const [, last = ids.record] = Object.entries(administered).find(([beginning]) => path.startsWith(beginning)) ?? []
  const values: Record<string, unknown> = {
    model: 'requests',
    id: last,
    token: 'none',
    relation_id: ids.relation,
    table_name: 'requests',
    table_position: 'l_table',
    instance_id: ids.record,
    right_id: ids.record,
    sys_table_id: ids.table,
  }
  return path.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** Every other route says what it asks for; of these the tables stand in the relation, and the service asks. */
const asksInside = (path: string): boolean => path.includes('{table_position}')

async function everything(): Promise<string> {
  const { items } = await service.store.query({ id: 1 }, { pk: 'T#1#R#requests' })
  const users = await service.store.query({ id: 1 }, { pk: 'T#1#USERS' })
  const config = await service.store.query({ id: 1 }, { pk: 'T#1#CONFIG' })
  const processes = await Promise.all(['PI', 'PT', 'PX#1'].map((part) => service.store.query({ id: 1 }, { pk: `T#1#${part}` })))
  return JSON.stringify([items, users.items, config.items, ...processes.map((page) => page.items)])
}

describe('every protected route', () => {
  it.each(protectedRoutes)('$key answers 401 without a token', async ({ route }) => {
    const { status, body } = await service.api(route.method, address(route.path), { body: route.body && {} })
    expect([status, body]).toEqual([401, { success: false, message: 'Not authorized.' }])
  })

  it.each(protectedRoutes.filter(({ route }) => route.permission?.kind !== 'signed-in' || asksInside(route.path)))('$key answers 403 to a user without permissions', async ({ route }) => {
    const before = await everything()
    const body = route.body && (asksInside(route.path) ? route.example?.body : {})
    expect((await service.api(route.method, address(route.path), { token: powerless, body })).status).toBe(403)
    expect(await everything()).toBe(before)
  })

  it.each(protectedRoutes.filter(({ route }) => /\{(model|id|relation_id|sys_table_id)\}/.test(route.path)))('$key answers 404 to another tenant, and writes nothing', async ({ route }) => {
    const before = await everything()
    const body = route.body && (route.example?.body ?? { title: 'taken over' })
    const answer = await service.api(route.method, address(route.path), { token: foreign, body })
    expect(answer.status).toBe(404)
    expect(JSON.stringify(answer.body)).not.toContain('Secret')
    expect(await everything()).toBe(before)
  })
})

it('a tenant with tables of the same names sees and counts its own records only', async () => {
  await makeRequests(service, foreign)
  const mine = await service.api('GET', '/api/e/requests', { token: foreign })
  expect([mine.body.data, mine.body.meta.total]).toEqual([[], 0])
  const made = await service.api('POST', '/api/e/requests', { token: foreign, body: { title: 'Mine', code: 'S-1' } })
  expect([made.status, made.body.data.tenant_id]).toEqual([201, 2])
  expect((await service.api('GET', `/api/sys/history/requests/${made.body.data.id}`, { token: foreign })).body.data).toHaveLength(1)
  const theirs = await service.api('GET', '/api/e/requests', { token: service.admin.token })
  expect(theirs.body.data.map(({ data }: { data: { title: string } }) => data.title)).toEqual(['Secret title'])
})

it('a reference into another tenant does not exist', async () => {
  const client = await service.api('POST', '/api/e/clients', { token: service.admin.token, body: { name: 'Theirs' } })
  const users = (await service.api('GET', '/api/sys/users', { token: service.admin.token })).body.data.map(({ id }: { id: number }) => id)
  const { body } = await service.api('POST', '/api/e/requests', { token: foreign, body: { title: 'x', client_id: client.body.data.id } })
  expect(body.errors).toEqual({ client_id: ['The selected client_id is invalid.'] })
  const unit = await service.api('POST', '/api/e/sys_org_units', { token: foreign, body: { name: 'u', manager_id: Math.max(...users) } })
  expect(unit.body.errors).toEqual({ manager_id: ['The selected manager_id is invalid.'] })
})
