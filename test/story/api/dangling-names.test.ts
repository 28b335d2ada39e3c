import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bpmn, end, inARow, start } from '../../make/builders/processes/processes.ts'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

/* What configuration names and does not exist is refused, or warned about, alike by every way of saving it. */

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const applied = (body: object, isDryRun = false) => api('PUT', `/api/sys/config?dry_run=${isDryRun}`, body)

const waiting = (task: string): string => bpmn(inARow(start, task, end))
const notifying = (attributes: string): string =>
  waiting(
    `<userTask id="look" wf:candidateRoles="agent"><extensionElements><wf:notify on="create" to="role:agent" ${attributes}/></extensionElements></userTask>`,
  )
const fields = [
  { name: 'title', type: 'text' },
  { name: 'note', type: 'text' },
  {
    name: 'status',
    type: 'state_model',
    states: [{ slug: 'new', is_initial: true }, { slug: 'done' }],
    transitions: [{ from: 'new', to: 'done', roles: ['agent'] }],
  },
]

beforeAll(async () => {
  service = await sharedService()
  await api('POST', '/api/sys/roles', { name: 'agent', permissions: [] })
  await makeTable(service, 'tickets', fields)
  const config = { transport: 'ses', from_address: 'desk@acme.test' }
  await api('POST', '/api/sys/channels', { name: 'desk', type: 'email', is_default: true, config })
  await api('POST', '/api/sys/notification_templates', {
    name: 'Received',
    code: 'received',
    subject: '{{record.title}}',
    body: '<p>Dear {{name}}, we received {{record.data.title}} of {{user.name}}: {{url}} {{params.word}} {{record.nope}}</p>',
  })
})
afterAll(() => service?.stop())

describe('a name that nothing has', () => {
  const process = (attributes: string) => ({ table: 'tickets', bpmn_xml: notifying(attributes) })
  const cases: [string, string, object, string, object][] = [
    [
      'a role of a permission',
      '/api/sys/roles',
      { name: 'r1', permissions: ['tikets.read'] },
      'roles',
      { errors: { 'permissions.0': [expect.stringContaining('Did you mean tickets.read?')] } },
    ],
    [
      'a table of a permission that is like no other',
      '/api/sys/roles',
      { name: 'r2', permissions: ['weather.read'] },
      'roles',
      { warnings: [{ path: 'permissions.0', code: 'unknown_table' }] },
    ],
    [
      'a mistyped role of a process',
      '/api/sys/process-templates',
      {
        name: 'p1',
        ...process('channel="email" title="x"'),
        bpmn_xml: notifying('title="x"').replace('Roles="agent"', 'Roles="agnt"'),
      },
      'processes',
      { errors: { bpmn_xml: [expect.stringContaining('Did you mean agent?')] } },
    ],
    [
      'a mistyped template of a process',
      '/api/sys/process-templates',
      { name: 'p2', ...process('channel="email" template="recieved"') },
      'processes',
      { errors: { bpmn_xml: [expect.stringContaining('Did you mean received?')] } },
    ],
    [
      'a template of a process that is like no other, and a channel',
      '/api/sys/process-templates',
      { name: 'p3', ...process('channel="lobby" template="farewell"') },
      'processes',
      {
        warnings: [
          { code: 'unknown_template', element_id: 'look' },
          { code: 'unknown_channel', element_id: 'look' },
        ],
      },
    ],
    [
      'variables that a process does not give',
      '/api/sys/process-templates',
      { name: 'p4', ...process('template="received"') },
      'processes',
      {
        warnings: [
          { code: 'missing_variable', message: expect.stringContaining('{{name}}') },
          { code: 'missing_variable', message: expect.stringContaining('{{record.nope}}') },
        ],
      },
    ],
    [
      'a role and a template of a subscription',
      '/api/sys/subscriptions',
      { name: 's1', table: 'tickets', events: ['create'], roles: ['agnt'], template: 'recieved' },
      'subscriptions',
      {
        errors: {
          'roles.0': ['There is no role agnt. Did you mean agent?'],
          template: ['There is no notification template recieved. Did you mean received?'],
        },
      },
    ],
    [
      'variables that a subscription does not give',
      '/api/sys/subscriptions',
      { name: 's2', table: 'tickets', events: ['create'], roles: ['agent'], template: 'received', is_active: false },
      'subscriptions',
      {
        warnings: [
          { path: 'template', code: 'missing_variable' },
          { path: 'template', code: 'missing_variable' },
        ],
      },
    ],
    [
      'a field, and a template of the script, of a rule',
      '/api/sys/incoming-actions',
      {
        name: 'i1',
        channel: 'email',
        target_model: 'tickets',
        field_mapping: { titel: 'subject' },
      },
      'incoming_actions',
      { errors: { 'field_mapping.titel': ['There is no field titel of tickets. Did you mean title?'] } },
    ],
    [
      'a template of the script of a rule',
      '/api/sys/incoming-actions',
      { name: 'i2', channel: 'email', target_model: 'tickets', script: "$api->sendEmail('recieved', 'a@b.test', {})" },
      'incoming_actions',
      { warnings: [{ path: 'script', line: 1, code: 'unknown_template' }] },
    ],
    [
      'a role of a transition, and what a mail of a hook does not get',
      '/api/sys/entities',
      {
        name: 'cases',
        table_fields: [
          { name: 'title', type: 'text' },
          {
            ...fields[2],
            transitions: [{ from: 'new', to: 'done', roles: ['weatherman'] }],
          },
        ],
        automations: [
          { kind: 'after_create', name: 'mail', script: "$api.sendEmail('received', 'a@b.test', { name: 'Ann' })" },
        ],
      },
      'tables',
      {
        warnings: [
          { path: 'table_fields.1.transitions.0.roles.0', code: 'unknown_role' },
          { path: 'automations.0.script', code: 'missing_variable', message: expect.stringContaining('record.nope') },
        ],
      },
    ],
  ]

  /** Saves an object by its route, and tries it as a document. */
  async function saved(path: string, section: string, body: object) {
    const dry = await applied({ [section]: [body] }, true)
    return { dry, single: await api('POST', path, body) }
  }
  const refused = cases.filter(([, , , , expected]) => 'errors' in expected)
  const warned = cases.filter(([, , , , expected]) => 'warnings' in expected)

  it.each(refused)('is refused by the route and by the document: %s', async (_, path, body, section, expected) => {
    const { errors } = expected as { errors: Record<string, string[]> }
    const { single, dry } = await saved(path, section, body)
    expect([single.status, dry.status]).toEqual([422, 422])
    expect(single.body.errors).toMatchObject(errors)
    const paths = Object.keys(errors).map((at) => `${section}.0.${at}`)
    expect(Object.keys(dry.body.errors)).toEqual(expect.arrayContaining(paths))
  })

  it.each(warned)('is warned about by the route and by the document: %s', async (_, path, body, section, expected) => {
    const { warnings } = expected as { warnings: object[] }
    const { single, dry } = await saved(path, section, body)
    expect([single.status, dry.status]).toEqual([201, 200])
    expect(single.body.warnings).toMatchObject(warnings)
    expect(single.body.warnings).toHaveLength(warnings.length)
    const codes = (list: { code: string }[]) => list.map(({ code }) => code)
    expect(codes(dry.body.warnings)).toEqual(codes(single.body.warnings))
  })

  it('exists for a document that brings it along, whatever the order', async () => {
    const { status, body } = await applied(
      {
        processes: [
          {
            name: 'guests',
            table: 'visits',
            bpmn_xml: notifying('channel="lobby2" template="welcome"').replaceAll('agent', 'porter'),
          },
        ],
        roles: [{ name: 'porter', permissions: ['visits.read'] }],
        tables: [{ name: 'visits', table_fields: [{ name: 'title', type: 'text' }], automations: [] }],
        templates: [{ name: 'welcome', subject: 'Welcome', body: '<p>{{record.title}}</p>' }],
        channels: [{ name: 'lobby2', type: 'webhook', config: { url: 'https://acme.test/hook' } }],
      },
      true,
    )
    expect([status, body.warnings]).toEqual([200, undefined])
  })
})

describe('a document that takes a field away', () => {
  it('says in the dry run what of others it leaves dangling', async () => {
    await api('POST', '/api/sys/roles', {
      name: 'reader',
      permissions: ['tickets.read'],
      fields: { tickets: { read: ['note'] } },
    })
    const subscription = { name: 'Notes', table: 'tickets', events: ['update'], fields: ['note'], roles: ['agent'] }
    await api('POST', '/api/sys/subscriptions', subscription)
    const rule = { name: 'Notes', channel: 'email', target_model: 'tickets', field_mapping: { note: 'body' } }
    await api('POST', '/api/sys/incoming-actions', rule)
    const bpmn_xml = waiting('<userTask id="look" wf:complete_on_field_note="!empty"/>')
    await api('POST', '/api/sys/process-templates', { name: 'Noted', code: 'noted', table: 'tickets', bpmn_xml })
    const tables = [{ name: 'tickets', table_fields: fields.filter(({ name }) => name !== 'note'), automations: [] }]
    const { status, body } = await applied({ tables }, true)
    expect(status).toBe(200)
    const dangling = body.warnings.filter(({ code }: { code: string }) => code === 'dangling')
    expect(dangling.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      'incoming_actions.Notes.field_mapping.note',
      'processes.noted.bpmn_xml',
      'roles.reader.fields.tickets.read.0',
      'subscriptions.Notes.fields',
    ])
    expect(dangling.find(({ path }: { path: string }) => path.startsWith('roles')).message).toContain('no field note')
    // The same fields again take nothing away.
    expect((await applied({ tables: [{ ...tables[0], table_fields: fields }] }, true)).body.warnings).toBeUndefined()
  })
})

describe('what others name', () => {
  it.each([
    ['a role', '/api/sys/roles', ({ name }: any) => name === 'agent', /transitions of tickets.status name it/i],
    [
      'a template',
      '/api/sys/notification_templates',
      ({ code }: any) => code === 'received',
      /subscription s2 names it/,
    ],
  ])('cannot be deleted: %s', async (_, path, isIt, message) => {
    const { id } = (await api('GET', `${path}?per_page=100`)).body.data.find(isIt)
    const { body } = await api('DELETE', `${path}/${id}`)
    expect(body).toMatchObject({ code: 'in_use', message: expect.stringMatching(message) })
  })

  it('cannot be deleted or renamed: a channel of a process', async () => {
    const config = { url: 'https://acme.test/hook' }
    const { id } = (await api('POST', '/api/sys/channels', { name: 'porch', type: 'webhook', config })).body.data
    const bpmn_xml = notifying('channel="porch" title="x" text="y"')
    await api('POST', '/api/sys/process-templates', { name: 'Porch', code: 'porch', table: 'tickets', bpmn_xml })
    for (const [method, body] of [['DELETE'], ['PUT', { name: 'veranda' }]] as const)
      expect((await api(method, `/api/sys/channels/${id}`, body)).body).toMatchObject({
        code: 'in_use',
        message: 'The channel porch is in use. The process porch names it.',
      })
  })
})

describe('a mail by a template', () => {
  it('has record, user, url and params, and its delivery says what nobody gave', async () => {
    await setHooks(service, 'tickets', [
      ['after_create', "$api.sendEmail('received', 'ann@example.com', { word: 'thanks' })"],
    ])
    const { id } = (await api('POST', '/api/e/tickets', { title: 'Lamp' })).body.data
    await service.cloud.idle()
    const [head] = (await api('GET', `/api/sys/deliveries?model=tickets&record_id=${id}`)).body.data
    const delivery = (await api('GET', `/api/sys/deliveries/${head.id}`)).body.data
    const { name } = (await api('GET', '/api/user')).body.data
    expect(delivery.subject).toBe('Lamp')
    expect(delivery.body).toMatch(new RegExp(`Dear , we received Lamp of ${name}: http.*/tickets/${id} thanks `))
    expect(delivery.warnings.map(({ path }: { path: string }) => path)).toEqual([
      'template.name',
      'template.record.nope',
    ])
  })
})
