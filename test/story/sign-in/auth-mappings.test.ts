import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let unit: number
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, `/api/sys/auth-mappings${path}`, { token: service.admin.token, body })

beforeAll(async () => {
  service = await sharedService()
  const { token } = service.admin
  unit = (await service.api('POST', '/api/e/sys_org_units', { token, body: { name: 'Support' } })).body.data.id
})
afterAll(() => service.stop())

const times = { created_at: expect.any(String), updated_at: expect.any(String) }

describe('mappings of groups', () => {
  it('are created, listed newest first, changed and deleted', async () => {
    const made = await api('POST', '', { group: 'it-support', org_unit_id: unit, roles: ['user', 'user'] })
    const mapping = {
      id: made.body.data.id,
      group: 'it-support',
      org_unit_id: unit,
      roles: ['user'],
      ...times,
      version: 1,
    }
    expect([made.status, made.body.data]).toEqual([201, mapping])
    const second = (await api('POST', '', { group: 'everybody', org_unit_id: unit })).body.data
    expect((await api('GET', '')).body.data).toEqual([second, made.body.data])
    const changed = await api('PUT', `/${mapping.id}`, { ...made.body.data, roles: [] })
    expect([changed.status, changed.body.data]).toEqual([200, { ...mapping, roles: [], ...times, version: 2 }])
    expect((await api('PUT', `/${mapping.id}`, { version: 1, group: 'x' })).status).toBe(412)
    expect((await api('DELETE', `/${mapping.id}`)).status).toBe(204)
    expect((await api('GET', '')).body).toMatchObject({ data: [second], meta: { total: 1 } })
    expect((await api('DELETE', `/${mapping.id}`)).body.code).toBe('auth_mapping_not_found')
  })

  it.each([
    [{ org_unit_id: 1 }, ['group']],
    [{ group: 'x', org_unit_id: 999 }, ['org_unit_id']],
    [{ group: 'x', org_unit_id: 1, roles: ['nobody', 'nobody2'] }, ['roles.0', 'roles.1']],
    [{ group: 'x', org_unit_id: 1, unit: 1 }, ['unit']],
  ])('refuse %j, naming what is wrong', async (body, names) => {
    const answer = await api('POST', '', body)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, names])
  })

  it('are in the trail', async () => {
    const { id } = (await api('POST', '', { group: 'auditors', org_unit_id: unit })).body.data
    const { body } = await service.api('GET', '/api/sys/audit?model=sys_auth_mappings', { token: service.admin.token })
    expect(body.data[0]).toMatchObject({ action: 'create', record_id: id, name: 'auditors' })
  })
})
