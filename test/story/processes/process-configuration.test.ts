import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherTenant } from '../../make/builders/people.ts'
import { bpmn, end, inARow, makeProcess, read, start } from '../../make/builders/processes/processes.ts'
import { makeRequests } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const path = '/api/sys/process-templates'
const api = (method: string, to: string, body?: unknown, token = service.admin.token) =>
  service.api(method, to, { token, body })
const simple = (task = '<userTask id="wait"/>', attributes = '') => bpmn(inARow(start, task, end), attributes)

beforeAll(async () => {
  service = await sharedService()
  await makeRequests(service)
})
afterAll(() => service?.stop())

describe('configuration as code', () => {
  it('copies processes with their tables into another tenant, and changes nothing the second time', async () => {
    await makeProcess(service, 'requests', 'carried', simple(undefined, 'wf:autoStart="true"'), { name: 'Carried' })
    const document = await read(service, '/api/sys/config')
    const carried = document.processes.find(({ name }: any) => name === 'carried')
    expect(carried).toEqual({
      name: 'carried',
      label: 'Carried',
      table: 'requests',
      bpmn_xml: simple(undefined, 'wf:autoStart="true"'),
      is_auto_start: true,
      is_active: true,
    })
    const { token } = await otherTenant(service)
    const { is_auto_start: _, ...short } = carried
    const first = await api(
      'PUT',
      '/api/sys/config',
      { tables: document.tables, roles: document.roles, processes: [short] },
      token,
    )
    expect([first.status, first.body.data.created.filter((one: string) => one.startsWith('processes.'))]).toEqual([
      200,
      ['processes.carried'],
    ])
    expect((await api('GET', '/api/sys/config', undefined, token)).body.data.processes).toEqual([carried])
    const again = await api(
      'PUT',
      '/api/sys/config',
      { tables: document.tables, roles: document.roles, processes: [short] },
      token,
    )
    expect(again.body.data).toMatchObject({ created: [], changed: [] })
    const changed = await api('PUT', '/api/sys/config', { processes: [{ ...carried, is_active: false }] }, token)
    expect(changed.body.data).toMatchObject({
      changed: ['processes.carried'],
      differences: { 'processes.carried': ['is_active: true → false'] },
    })
    expect((await api('GET', path, undefined, token)).body.data).toMatchObject([
      { code: 'carried', is_active: false, version: 2 },
    ])
  })

  it('refuses an invalid process with its path, and stores nothing', async () => {
    const { token } = await otherTenant(service)
    const tables = [{ name: 'things', table_fields: [{ name: 'stage', type: 'text' }] }]
    const wait = simple('<userTask id="wait" wf:complete_on_field_status="x"/>')
    const { status, body } = await api(
      'PUT',
      '/api/sys/config',
      {
        tables,
        processes: [
          { name: 'a', table: 'things', bpmn_xml: wait },
          { name: 'B', table: 'planets', bpmn_xml: wait },
        ],
      },
      token,
    )
    expect([status, body.errors]).toEqual([
      422,
      {
        'processes.0.bpmn_xml': ['wait: The table things has no field "status".'],
        'processes.1.name': [expect.stringContaining('lower-case')],
        'processes.1.table': [
          'The selected table is invalid: there is no such table. There are: sys_articles, sys_companies, sys_org_units, sys_ratings, things.',
        ],
      },
    ])
    expect((await api('GET', '/api/sys/entities/name/things', undefined, token)).status).toBe(404)
  })
})
