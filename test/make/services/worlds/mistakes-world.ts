import { userWith } from '../../builders/people.ts'
import { bpmn, end, inARow, makeProcess, start } from '../../builders/processes/processes.ts'
import { makeTable, requestFields } from '../../builders/records/tables.ts'
import { startService, type TestService } from '../service.ts'

/** A company with one or two of everything that a mistake can be made with. Ids are the same in each run. */
export interface MistakesWorld {
  readonly service: TestService
  /** Tokens by who sends a request. */
  readonly tokens: Readonly<Record<string, string | undefined>>
}

export async function makeMistakesWorld(): Promise<MistakesWorld> {
  const service = await startService()
  const { token } = service.admin
  const send = async (method: string, path: string, body: unknown): Promise<any> => {
    const answer = await service.api(method, path, { token, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  await makeTable(service, 'clients', [
    { name: 'name', type: 'text', required: true },
    { name: 'email', type: 'text' },
  ])
  await makeTable(service, 'requests', [
    ...requestFields,
    { name: 'due', type: 'date' },
    { name: 'starts_at', type: 'datetime' },
    { name: 'urgent', type: 'boolean' },
    { name: 'hours', type: 'float', max: 1000 },
    { name: 'assigned_to', type: 'user' },
    { name: 'photos', type: 'file', multiple: true },
    { name: 'scan', type: 'file' },
    { name: 'place', type: 'point' },
    { name: 'holder_id', type: 'model_list', target_table: 'clients', on_delete: 'restrict' },
  ])
  await send('POST', '/api/e/sys_org_units', { name: 'Support' })
  await send('POST', '/api/e/clients', { name: 'Ann' })
  await send('POST', '/api/e/clients', { name: 'Ben' })
  await send('POST', '/api/e/requests', { title: 'The lamp is broken', code: 'A1', client_id: 1, holder_id: 1 })
  await send('POST', '/api/e/requests', { title: 'The door squeaks', client_id: 1 })
  await send('POST', '/api/sys/relations', { name: 'Related', l_table: 'requests', r_table: 'clients' })
  const config = { url: 'https://example.com/hook' }
  await send('POST', '/api/sys/channels', { name: 'hook', direction: 'outgoing', type: 'webhook', config })
  await send('POST', '/api/sys/notification_templates', { name: 'Welcome', code: 'welcome', subject: 'Hi', body: 'Hi' })
  await send('POST', '/api/sys/incoming-actions', {
    name: 'Take over',
    channel: 'all',
    target_model: 'requests',
    field_mapping: { title: 'body' },
    button_label: 'Take over',
  })
  await send('POST', '/api/sys/incoming_messages', { body: 'Help' })
  await send('POST', '/api/sys/subscriptions', { name: 'New', table: 'requests', events: ['create'], roles: ['admin'] })
  const xml = bpmn(inARow(start, '<userTask id="approve" wf:outcomes="yes,no"/>', end))
  await makeProcess(service, 'clients', 'approval', xml)
  await send('POST', '/api/sys/process-instances', { template_id: 1, model: 'clients', record_id: 1 })
  await send('POST', '/api/e/requests/1/comments', { body: 'First' })
  const broken = [{ kind: 'before_create', name: 'ticket number', script: '$data.number = $data.title.text.length' }]
  await send('POST', '/api/sys/entities', {
    name: 'tickets',
    table_fields: [{ name: 'title', type: 'text' }],
    automations: broken,
  })
  await send('POST', '/api/sys/entities', {
    name: 'orders',
    table_fields: [{ name: 'title', type: 'text' }],
    automations: [{ kind: 'before_create', script: "throw new Exception('Orders are closed on Sundays')" }],
  })
  await send('POST', '/api/e/clients', { name: 'Cleo' })
  const readAll = ['requests.read', 'clients.read']
  const reader = await userWith(service, readAll)
  const writer = await userWith(service, ['requests.*', 'clients.*', 'tickets.*'])
  const clerk = await userWith(service, ['requests.*', 'clients.read'], [], {
    requests: { read: ['title', 'status'], write: ['title'] },
  })
  const key = await send('POST', '/api/sys/api-keys', { name: 'Robot', roles: ['user'] })
  const { body } = await service.api('POST', '/api/login-local', {
    body: { email: service.admin.email, password: service.admin.password },
  })
  await service.api('POST', '/api/logout', { token: body.token })
  return {
    service,
    tokens: {
      admin: token,
      nobody: undefined,
      reader: reader.token,
      writer: writer.token,
      clerk: clerk.token,
      robot: key.token,
      'signed out': body.token,
      malformed: 'abc',
      'wrong secret': `${token.split('|')[0]}|${'A'.repeat(43)}`,
    },
  }
}
