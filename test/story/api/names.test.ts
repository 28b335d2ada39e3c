import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bpmn, end, inARow, makeProcess, start } from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })

const states = [{ slug: 'new', is_initial: true }, { slug: 'closed' }]
const status = (roles: readonly string[]) => ({
  name: 'status',
  type: 'state_model',
  states,
  transitions: [{ from: 'new', to: 'closed', roles }],
})

beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.stop())

describe('names in a configuration document', () => {
  const document = {
    tables: [{ name: 'assets', table_fields: [{ name: 'title', type: 'text' }, status(['keeper'])] }],
    roles: [
      {
        name: 'keeper',
        permissions: ['assets.*'],
        rules: [{ table: 'assets', action: 'read', filter: { status: 'new' } }],
        fields: { assets: { read: ['title', 'status'] } },
      },
    ],
    processes: [
      {
        name: 'check',
        table: 'assets',
        bpmn_xml: bpmn(inARow(start, '<userTask id="t" wf:candidateRoles="keeper" name="${record.title}"/>', end)),
      },
    ],
    subscriptions: [{ name: 'told', table: 'assets', events: ['create'], roles: ['keeper'] }],
  }

  it('may be of what the document makes', async () => {
    expect((await api('PUT', '/api/sys/config?dry_run=true', document)).status).toBe(200)
    const applied = await api('PUT', '/api/sys/config', document)
    expect([applied.status, applied.body.data?.created]).toEqual([
      200,
      ['tables.assets', 'roles.keeper', 'processes.check', 'subscriptions.told'],
    ])
    expect((await api('PUT', '/api/sys/config', document)).body.data.changed).toEqual([])
  })

  it('are refused together, and nothing is changed', async () => {
    const wrong = {
      tables: [{ name: 'rooms', table_fields: [status(['keper'])] }],
      roles: [{ name: 'guard', permissions: ['room.read', 'rooms.raed'] }],
      processes: [
        {
          name: 'lock',
          table: 'rooms',
          bpmn_xml: bpmn(inARow(start, '<userTask id="t" wf:candidateRoles="gard"/>', end)),
        },
      ],
    }
    const { status: answered, body } = await api('PUT', '/api/sys/config', wrong)
    expect([answered, Object.keys(body.errors)]).toEqual([
      422,
      [
        'tables.0.table_fields.0.transitions.0.roles.0',
        'roles.0.permissions.0',
        'roles.0.permissions.1',
        'processes.0.bpmn_xml',
      ],
    ])
    expect((await api('GET', '/api/sys/entities/name/rooms')).status).toBe(404)
  })
})

describe('names that were valid when they were saved', () => {
  it('of a role stay, when their table is gone and the role is changed', async () => {
    await makeTable(service, 'cars', [{ name: 'plate', type: 'text' }])
    const made = await api('POST', '/api/sys/roles', {
      name: 'driver',
      permissions: ['cars.read'],
      rules: [{ table: 'cars', action: 'read', filter: { plate: 'W 1' } }],
      fields: { cars: { read: ['plate'] } },
    })
    expect((await api('DELETE', '/api/sys/entities/name/cars')).status).toBe(204)
    const path = `/api/sys/roles/${made.body.data.id}`
    const { body } = await api('GET', path)
    const { permissions, rules, fields } = body.data
    const more = { permissions: [...permissions, 'assets.read'], rules, fields }
    expect((await api('PUT', path, more)).body.data).toMatchObject({ permissions: ['assets.read', 'cars.read'] })
    const added = await api('PUT', path, { permissions: [...permissions, 'asets.update'] })
    expect(added.body.errors).toMatchObject({ 'permissions.1': [expect.stringContaining('assets')] })
  })

  it('of a role stay, while the transition of a table names it', async () => {
    const { id } = (await api('POST', '/api/sys/roles', { name: 'helper' })).body.data
    const table_fields = [{ name: 'title', type: 'text' }, status(['helper'])]
    await api('POST', '/api/sys/entities', { name: 'desks', table_fields })
    const refused = await api('DELETE', `/api/sys/roles/${id}`)
    expect([refused.status, refused.body.code]).toEqual([422, 'in_use'])
    expect(refused.body.message).toContain('desks')
    const path = '/api/sys/entities/name/desks'
    expect((await api('PUT', path, { table_fields, label: 'All desks' })).status).toBe(200)
    const added = await api('PUT', path, { table_fields: [...table_fields, { ...status(['helpr']), name: 'other' }] })
    expect(Object.keys(added.body.errors)).toEqual(['table_fields.2.transitions.0.roles.0'])
    expect((await api('PUT', path, { table_fields: [{ name: 'title', type: 'text' }] })).status).toBe(200)
    expect((await api('DELETE', `/api/sys/roles/${id}`)).status).toBe(204)
  })

  it('of a process stay, when its document is changed elsewhere', async () => {
    const { id } = (await api('POST', '/api/sys/roles', { name: 'porter' })).body.data
    const xml = (name: string) =>
      bpmn(inARow(start, `<userTask id="t" name="${name}" wf:candidateRoles="porter"/>`, end))
    const template = await makeProcess(service, 'assets', 'carry', xml('Carry'))
    await api('DELETE', `/api/sys/roles/${id}`)
    const path = `/api/sys/process-templates/${template.id}`
    expect((await api('PUT', path, { bpmn_xml: xml('Lift') })).status).toBe(200)
    const added = await api('PUT', path, { bpmn_xml: xml('Lift ${record.titel}') })
    expect(added.body.errors['bpmn_xml.t']).toEqual([
      'record.titel: the table assets has no field titel. Did you mean title?',
    ])
  })
})

describe('slugs in filters', () => {
  it('are refused where a person writes them, and match nothing in scripts', async () => {
    const filter = { status: { _in: ['new', 'clsed'] } }
    const { body } = await api('POST', '/api/e/assets/list-server', { filter })
    expect(body.errors).toEqual({
      'filter.status._in.1': [
        'The selected filter.status._in.1 is invalid: there is no such state. Did you mean closed?',
      ],
    })
    const exported = await api('GET', `/api/e/assets/export?filter=${encodeURIComponent(JSON.stringify(filter))}`)
    expect(exported.status).toBe(422)
    const script =
      "return $api.find('assets', 'status', 'clsed') === false && $api.count('assets', { status: 'clsed' }) === 0"
    const run = await api('POST', '/api/sys/scripts/run', {
      script: `$data.ok = (() => { ${script} })()`,
      kind: 'after_create',
      model: 'assets',
    })
    expect(run.body.data).toMatchObject({ status: 'ok', data: { ok: true } })
  })
})
