import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../../shared/accounts/people/create-user.ts'
import { newUser, storeNewUser } from '../../../shared/accounts/people/new-user.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { makeRequests } from '../../make/builders/records/tables.ts'
import { type TestService, sharedService } from '../../make/services/service.ts'

/** Who finds whom: pickers of the web app, and scripts. */
let service: TestService
let plain: string
let reader: string
let ids: Record<'jose' | 'ada' | 'zoe' | 'disabled' | 'robot', number>
let unit: number
const password = 'brass gears 1843'
let acme: TestService['tenant']

beforeAll(async () => {
  service = await sharedService()
  acme = service.tenant
  const asAdmin = (method: string, path: string, body: object) =>
    service.api(method, path, { token: service.admin.token, body })
  await asAdmin('POST', '/api/sys/roles', { name: 'agent' })
  await makeRequests(service, service.admin.token)
  const units = [
    (await asAdmin('POST', '/api/e/sys_org_units', { name: 'Nobody manages this' })).body.data.id,
    (await asAdmin('POST', '/api/e/sys_org_units', { name: 'Works', manager_id: service.admin.userId })).body.data.id,
  ]
  unit = units[1]
  const make = async (name: string, email: string, roles: string[], more: object = {}) =>
    (await createUser({ store: service.store, clock }, acme, { name, email, password, roles, ...more })).id
  ids = {
    jose: await make('José Müller', 'j.mueller@people.test', ['agent'], { orgUnitIds: units }),
    ada: await make('Ada Lovelace', 'ada@people.test', ['agent', 'user']),
    zoe: await make('Zoe', 'zoe-lovelace@people.test', ['user']),
    disabled: await make('Ada Disabled', 'gone@people.test', ['agent'], { isActive: false }),
    robot: (
      await storeNewUser({ store: service.store, clock }, acme, (id) => ({
        user: newUser(id, { name: 'Ada Robot', email: null }, { roles: ['agent'] }, '2026-11-20T08:00:00.000Z'),
        also: [],
      }))
    ).id,
  }
  plain = (await userWith(service, [])).token
  reader = (await userWith(service, ['users.read'])).token
})
afterAll(() => service.stop())

const find = (query: string, token = plain) => service.api('GET', `/api/users${query}`, { token })
const namesOf = async (query: string, token = plain) =>
  (await find(query, token)).body.data.map(({ name }: { name: string }) => name)

describe('GET /api/users', () => {
  it('answers id and name of active people by name, and the address only with users.read', async () => {
    const { status, body } = await find('?role=agent')
    expect(status).toBe(200)
    expect(body.data).toEqual([
      { id: ids.ada, name: 'Ada Lovelace' },
      { id: ids.jose, name: 'José Müller' },
    ])
    expect((await find('?role=agent', reader)).body.data[0]).toEqual({
      id: ids.ada,
      name: 'Ada Lovelace',
      email: 'ada@people.test',
    })
  })

  it('searches names without case and accents, and addresses only with users.read', async () => {
    expect(await namesOf('?search=JOSE')).toEqual(['José Müller'])
    expect(await namesOf('?search=lovelace')).toEqual(['Ada Lovelace'])
    expect(await namesOf('?search=lovelace', reader)).toEqual(['Ada Lovelace', 'Zoe'])
    expect(await namesOf('?search=people.test')).toEqual([])
    expect(await namesOf('?search=lovelace&role=user', reader)).toEqual(['Ada Lovelace', 'Zoe'])
  })

  it('answers the people with given ids, without those who are disabled, programs or of others', async () => {
    const other = await otherTenant(service)
    const asked = [ids.zoe, ids.disabled, ids.robot, ids.ada, ids.ada, 999_999].join(',')
    expect(await namesOf(`?ids=${asked}`)).toEqual(['Ada Lovelace', 'Zoe'])
    expect(await namesOf(`?ids=${asked}`, other.token)).toEqual([])
    expect(await namesOf('', other.token)).toEqual(['Mallory'])
    expect((await find('?ids=1,x')).body.errors).toEqual({ ids: ['The ids must be integers, separated by commas.'] })
  })

  it('is paged like every list', async () => {
    const all = await namesOf('')
    const first = (await find('?per_page=2')).body
    expect(first.meta).toMatchObject({ total: all.length, to: 2 })
    const second = (await find(`?per_page=2&cursor=${first.meta.next_cursor}`)).body
    expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(all.slice(0, 4))
  })

  it('follows a change of roles at once', async () => {
    const user = await userWith(service, [])
    const change = (roles: string[]) =>
      service.api('PUT', `/api/sys/users/${user.id}`, { token: service.admin.token, body: { roles } })
    await change(['agent'])
    expect((await find(`?role=agent&ids=${user.id}`)).body.meta.total).toBe(1)
    await change([])
    expect((await find(`?role=agent&ids=${user.id}`)).body.meta.total).toBe(0)
  })
})

describe('$api.users.find', () => {
  const run = async (expression: string) => {
    const { status, body } = await service.api('POST', '/api/sys/scripts/run', {
      token: service.admin.token,
      body: {
        script: `$data.title = JSON.stringify(${expression})`,
        kind: 'before_create',
        model: 'requests',
        data: {},
      },
    })
    expect([status, body.data.error]).toEqual([200, null])
    return JSON.parse(body.data.data.title)
  }

  it('answers people with roles, org units and the manager of the first unit that has one', async () => {
    const jose = {
      id: ids.jose,
      name: 'José Müller',
      email: 'j.mueller@people.test',
      roles: ['agent'],
      org_unit_ids: [unit - 1, unit],
      manager_id: service.admin.userId,
    }
    expect(await run(`$api.users.find({ id: ${ids.jose} })`)).toEqual([jose])
    expect(await run(`$api->users->find({ email: 'J.Mueller@people.test' })`)).toEqual([jose])
    const [ada, second] = await run(`$api.users.find({ role: 'agent' })`)
    expect(ada).toEqual({
      id: ids.ada,
      name: 'Ada Lovelace',
      email: 'ada@people.test',
      roles: ['agent', 'user'],
      org_unit_ids: [],
    })
    expect(second).toEqual(jose)
    expect(await run(`$api.users.find({ search: 'zoe-love', role: 'user' }).map((one) => one.name)`)).toEqual(['Zoe'])
  })

  it('finds nobody who is disabled, and nobody when nothing or null is given', async () => {
    const queries = [`{ id: ${ids.disabled} }`, '{ id: -1 }', '{ id: null }', '{ email: undefined }', '{}']
    for (const query of queries) expect([query, await run(`$api.users.find(${query})`)]).toEqual([query, []])
  })

  it('refuses an unknown member with a message for the author', async () => {
    const { body } = await service.api('POST', '/api/sys/scripts/run', {
      token: service.admin.token,
      body: { script: `$api.users.find({ emial: 'x' })`, kind: 'before_create', model: 'requests', data: {} },
    })
    expect(body.data.error.message).toContain('$api.users.find({id, email, role, search})')
  })
})
