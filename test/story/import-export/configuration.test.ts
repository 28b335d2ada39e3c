import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { makeRequests } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let empty: string
const read = async (token = service.admin.token) => (await service.api('GET', '/api/sys/config', { token })).body.data
const apply = (body: unknown, token: string, dryRun = false) =>
  service.api('PUT', `/api/sys/config?dry_run=${dryRun}`, { token, body })

beforeAll(async () => {
  service = await sharedService()
  const { token } = service.admin
  await makeRequests(service)
  const { body: roles } = await service.api('GET', '/api/sys/roles', { token })
  const agent = roles.data.find(({ name }: { name: string }) => name === 'agent')
  await service.api('PUT', `/api/sys/roles/${agent.id}`, {
    token,
    body: { permissions: ['requests.*', 'clients.read'] },
  })
  await service.api('POST', '/api/sys/relations', {
    token,
    body: { name: 'watchers', l_table: 'requests', r_table: 'clients' },
  })
  const { body } = await service.api('GET', '/api/sys/entities/name/requests', { token })
  const automations = [{ kind: 'before_create', name: 'shout', script: '$data.title = $data.title.toUpperCase()' }]
  const back = { name: 'last_request', type: 'model_list', target_table: 'requests' }
  await service.api('PUT', '/api/sys/entities/name/requests', { token, body: { ...body.data, automations } })
  await service.api('PUT', '/api/sys/entities/name/clients', {
    token,
    body: { name: 'clients', table_fields: [{ name: 'name', type: 'text', required: true }, back] },
  })
  await service.api('POST', '/api/sys/incoming-actions', { token, body: mailRule })
  empty = (await otherTenant(service)).token
})
afterAll(() => service?.stop())

const mailRule = {
  name: 'mail',
  channel: 'email',
  is_automatic: true,
  target_model: 'requests',
  field_mapping: { title: 'subject', source: '=mail' },
  script: '$data->note = $incoming->body',
  condition: { subject: { _icontains: 'help' } },
  position: 2,
}

describe('configuration as code', () => {
  it('is one document with names instead of ids', async () => {
    const document = await read()
    expect(document.roles).toContainEqual({
      name: 'agent',
      permissions: ['clients.read', 'requests.*'],
      rules: [],
      fields: {},
      mfa_required: false,
    })
    expect(document.relations).toEqual([{ name: 'watchers', l_table: 'requests', r_table: 'clients' }])
    expect(document.incoming_actions).toEqual([
      {
        ...mailRule,
        process_message: null,
        button_label: null,
        button_color: null,
        on_reply: 'comment',
        reopen: null,
        mailbox_ids: null,
        is_active: true,
        send_comments: false,
      },
    ])
    const requests = document.tables.find(({ name }: { name: string }) => name === 'requests')
    expect(requests.automations).toEqual([
      { kind: 'before_create', name: 'shout', script: expect.any(String), is_active: true, position: 1 },
    ])
    expect(JSON.stringify(document)).not.toMatch(/"(id|version|tenant_id)":/)
  })

  it('creates the same tables, relations, hooks and roles in an empty tenant, and changes nothing the second time', async () => {
    const document = await read()
    const dry = await apply(document, empty, true)
    expect(dry.body.data.created.toSorted()).toEqual([
      'incoming_actions.mail',
      'relations.watchers',
      'roles.agent',
      'tables.clients',
      'tables.requests',
    ])
    expect(dry.body.data.changed).toEqual([])
    expect((await read(empty)).relations).toEqual([])
    const real = await apply(document, empty)
    expect([real.status, real.body.data.created]).toEqual([200, dry.body.data.created])
    expect(await read(empty)).toEqual(document)
    const again = await apply(document, empty)
    expect(again.body.data).toMatchObject({ created: [], changed: [], differences: {} })
    expect(again.body.data.unchanged).toBe(
      document.roles.length + document.tables.length + document.relations.length + document.incoming_actions.length,
    )
    const made = await service.api('POST', '/api/e/requests', { token: empty, body: { title: 'quiet' } })
    expect(made.body.data.data.title).toBe('QUIET')
  })

  it('lists each difference, keeps the ids of hooks, and leaves alone what the document does not name', async () => {
    const hookId = async () =>
      (await service.api('GET', '/api/sys/entities/name/requests', { token: empty })).body.data.automations[0].id
    const before = await hookId()
    const { tables } = await read(empty)
    const requests = tables.find(({ name }: { name: string }) => name === 'requests')
    requests.table_fields[1].max = 9
    requests.automations[0].is_active = false
    const { body } = await apply({ tables: [requests] }, empty)
    expect(body.data).toEqual({
      created: [],
      changed: ['tables.requests'],
      unchanged: 0,
      differences: {
        'tables.requests': [
          'table_fields.priority.max: 5 → 9',
          'automations.before_create shout.is_active: true → false',
        ],
      },
    })
    expect(await hookId()).toBe(before)
    expect((await read(empty)).roles).toHaveLength((await read()).roles.length)
  })

  it('refuses an invalid document as a whole, and names every error by its path', async () => {
    const before = await read(empty)
    const { status, body } = await apply(
      {
        roles: [{ name: 'new_role', permissions: [] }, { name: 'admin' }],
        tables: [
          { name: 'fine', table_fields: [] },
          { name: 'wrong', table_fields: [{ name: 'r', type: 'model_list', target_table: 'nowhere' }] },
          { name: 'fine', table_fields: [] },
          { name: 'scripted', automations: [{ kind: 'before_create', script: 'if (' }] },
        ],
        relations: [{ name: 'watchers', l_table: 'clients', r_table: 'clients' }],
        incoming_actions: [
          { name: 'new table', channel: 'api', target_model: 'fine' },
          { ...mailRule, field_mapping: { titel: 'subject' } },
        ],
      },
      empty,
    )
    expect([status, Object.keys(body.errors).sort()]).toEqual([
      422,
      [
        'incoming_actions.1.field_mapping.titel',
        'relations.0.l_table',
        'roles.1.name',
        'tables.1.table_fields.0.target_table',
        'tables.2.name',
        'tables.3.automations.0.script',
      ],
    ])
    expect(await read(empty)).toEqual(before)
  })

  it('is open to administrators only', async () => {
    const { token } = await userWith(service, ['*'])
    expect((await service.api('GET', '/api/sys/config', { token })).status).toBe(403)
    expect((await apply({}, token)).status).toBe(403)
  })
})
