import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { relationRequests } from '../../make/builders/records/relations.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { linkRows } from '../../make/oracles/link-rows.ts'
import { type ApiCall, sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let uses: number
let parts: number
const api: ApiCall = (method, path, body, token = service.admin.token) => service.api(method, path, { token, body })
const { create, relate, add, unlink, makeDevices } = relationRequests(api)

beforeAll(async () => {
  service = await sharedService()
  ;({ uses, parts } = await makeDevices(service))
})
afterAll(() => service?.stop())

describe('a relation', () => {
  it('is created by administrators only, and answered with its tables', async () => {
    const { status, body } = await api('POST', '/api/sys/relations', {
      name: 'watchers',
      l_table: 'tickets',
      r_table: 'people',
    })
    expect([status, body.data]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'watchers',
        l_table: 'tickets',
        r_table: 'people',
        created_at: expect.any(String),
        updated_at: expect.any(String),
        version: 1,
      },
    ])
    const { token } = await userWith(service, ['*'])
    expect(
      (await api('POST', '/api/sys/relations', { name: 'x', l_table: 'tickets', r_table: 'people' }, token)).status,
    ).toBe(403)
  })

  it('requires existing tables and an unused name', async () => {
    const wrong = await api('POST', '/api/sys/relations', { name: 'x', l_table: 'nothing', r_table: 'nowhere' })
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      {
        l_table: [expect.stringMatching(/^The selected l_table is invalid: there is no such table\./)],
        r_table: [expect.stringMatching(/^The selected r_table is invalid: there is no such table\./)],
      },
    ])
    expect(
      (await api('POST', '/api/sys/relations', { name: 'parts', l_table: 'tickets', r_table: 'people' })).status,
    ).toBe(409)
    expect((await api('POST', '/api/sys/relations', { name: '', l_table: 'tickets', r_table: 'people' })).status).toBe(
      422,
    )
  })

  it('can be renamed, which frees the old name, but keeps its tables', async () => {
    const id = await relate('before', 'tickets', 'people')
    expect((await api('PUT', `/api/sys/relations/${id}`, { name: 'after', version: 1 })).body.data).toMatchObject({
      id,
      name: 'after',
      version: 2,
    })
    expect((await api('PUT', `/api/sys/relations/${id}`, { name: 'later', version: 1 })).status).toBe(412)
    expect((await api('PUT', `/api/sys/relations/${id}`, { name: 'parts' })).status).toBe(409)
    expect((await api('PUT', `/api/sys/relations/${id}`, { r_table: 'devices' })).body.errors).toHaveProperty('r_table')
    expect(
      (await api('POST', '/api/sys/relations', { name: 'before', l_table: 'tickets', r_table: 'people' })).status,
    ).toBe(201)
    expect((await api('PUT', '/api/sys/relations/999', { name: 'x' })).status).toBe(404)
  })

  it('is listed under the id of each of its tables, newest first, and in their documents', async () => {
    const tables = (await api('GET', '/api/sys/entities')).body.data as { id: number; name: string }[]
    const idOf = (name: string) => tables.find((table) => table.name === name)?.id
    const of = async (name: string) =>
      (await api('GET', `/api/sys/relations/all/${idOf(name)}`)).body.data.map(({ id }: { id: number }) => id)
    expect(await of('devices')).toEqual([parts, uses])
    expect(await of('tickets')).toContain(uses)
    expect(await of('sys_companies')).toEqual([])
    expect((await api('GET', '/api/sys/relations/all/99999')).status).toBe(404)
    const document = (await api('GET', '/api/sys/entities/name/devices')).body.data
    expect(document.relations).toEqual([
      { id: uses, name: 'devices of a ticket', l_table: 'tickets', r_table: 'devices', version: 1 },
      { id: parts, name: 'parts', l_table: 'devices', r_table: 'devices', version: 1 },
    ])
    expect((await api('PUT', '/api/sys/entities/name/devices', document)).status).toBe(200)
  })

  it('prevents the deletion of its tables', async () => {
    await makeTable(service, 'brief', [])
    const id = await relate('brief ones', 'brief', 'people')
    expect((await api('DELETE', '/api/sys/entities/name/brief')).body.code).toBe('in_use')
    expect((await api('DELETE', `/api/sys/relations/${id}`)).status).toBe(204)
    expect((await api('DELETE', '/api/sys/entities/name/brief')).status).toBe(204)
  })

  it('our choice: disappears with its links at once, and its rows are removed in the background', async () => {
    const id = await relate('short-lived', 'tickets', 'people')
    const ticket = await create('tickets', 'T')
    await add(id, 'l_table', ticket, [await create('people', 'P'), await create('people', 'Q')])
    expect((await api('DELETE', `/api/sys/relations/${id}`)).status).toBe(204)
    expect((await api('GET', `/api/sys/related_instances/${id}/tickets/${ticket}`)).status).toBe(404)
    expect((await api('DELETE', `/api/sys/relations/${id}`)).status).toBe(404)
    await service.cloud.idle()
    expect(await linkRows(service, id)).toEqual([])
    expect((await api('GET', `/api/e/tickets/${ticket}`)).status).toBe(200)
  })

  it('our choice: is cleaned up once more, when no request that still knew it can be running', async () => {
    const id = await relate('gone soon', 'tickets', 'people')
    const { tenant } = service
    const removal = { pk: `T#${tenant.id}#REMOVALS`, sk: String(id).padStart(12, '0') }
    const row = async () => (await service.store.query(tenant, { pk: removal.pk, prefix: removal.sk })).items[0]
    await api('DELETE', `/api/sys/relations/${id}`)
    await service.cloud.idle()
    expect(await row()).toMatchObject({ removal: 'queued' })
    const late = { kind: 'link', v: 1 }
    await service.store.putMany(tenant, [
      {
        pk: `T#${tenant.id}#L#${id}#l#1`,
        sk: '000000000002',
        ...late,
        p15: `T#${tenant.id}#L#${id}#1`,
        s15: '000000000001#000000000002',
      },
      { pk: `T#${tenant.id}#L#${id}#r#2`, sk: '000000000001', ...late },
    ])
    const change = {
      expression: 'SET s20 = :due, deleted_at = :past',
      values: {
        ':due': `2000-01-01T00:00:00.000Z#${tenant.id}#sys_relations#${id}`,
        ':past': '2000-01-01T00:00:00.000Z',
      },
    }
    await service.store.write(tenant, { update: removal, change })
    await service.cloud.invoke('due-sweeper')
    await service.cloud.idle()
    expect([await linkRows(service, id, [1, 2]), await row()]).toEqual([[], undefined])
  })
})

describe('permission to', () => {
  let ticket: number
  let device: number
  beforeAll(async () => {
    ;[ticket, device] = [await create('tickets', 'T'), await create('devices', 'D')]
    await add(uses, 'l_table', ticket, [device])
  })

  it.each([
    [['tickets.read'], 403],
    [['devices.read'], 403],
    [['tickets.read', 'devices.read'], 200],
  ])('list related records with %j answers %d', async (permissions, status) => {
    const { token } = await userWith(service, permissions)
    expect((await api('GET', `/api/sys/related_instances/${uses}/tickets/${ticket}`, undefined, token)).status).toBe(
      status,
    )
  })

  it.each([
    [['tickets.update'], 403],
    [['tickets.read', 'devices.read'], 403],
    [['devices.update', 'tickets.read'], 403],
    [['tickets.update', 'devices.read'], 200],
  ])('link and unlink with %j answers %d', async (permissions, status) => {
    const { token } = await userWith(service, permissions)
    expect((await add(uses, 'l_table', ticket, [device], token)).status).toBe(status)
    expect((await unlink(uses, 'l_table', device, { ids: [] }, token)).status).toBe(status)
  })

  it('list and link in another tenant answers 404', async () => {
    const { token } = await otherTenant(service)
    expect((await api('GET', `/api/sys/related_instances/${uses}/tickets/${ticket}`, undefined, token)).status).toBe(
      404,
    )
    expect((await add(uses, 'l_table', ticket, [device], token)).status).toBe(404)
  })
})
