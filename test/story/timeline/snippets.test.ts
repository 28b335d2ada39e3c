import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type ApiAnswer, type TestService } from '../../make/services/service.ts'

/* Snippets: who sees them, what they may name, and the values that they get. */

let service: TestService
let agent: { token: string; id: number }
let asker: { token: string; id: number }
let id: number

const api = (method: string, path: string, body?: unknown, as = service.admin.token): Promise<ApiAnswer> =>
  service.api(method, path, { token: as, body })
async function data(method: string, path: string, body?: unknown, as?: string): Promise<any> {
  const answer = await api(method, path, body, as)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}
const make = (body: object) => data('POST', '/api/sys/snippets', body)
const namesFor = async (as: string): Promise<string[]> =>
  (await data('GET', '/api/sys/snippets?sort=name', undefined, as)).map(({ name }: { name: string }) => name)
const fill = (snippet: number, as: string) => api('GET', `/api/e/orders/${id}/snippets/${snippet}`, undefined, as)

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'clients', [
    { name: 'name', type: 'text', required: true },
    { name: 'email', type: 'email' },
  ])
  await makeTable(service, 'orders', [
    { name: 'title', type: 'text', required: true },
    { name: 'margin', type: 'text' },
    { name: 'client_id', type: 'model_list', target_table: 'clients' },
  ])
  agent = await userWith(service, ['orders.read', 'orders.update', 'clients.read'])
  asker = await userWith(service, ['orders.read', 'orders.create'])
  const config = { transport: 'local', from_address: `desk@${service.tenant.slug}.test` }
  await data('POST', '/api/sys/channels', { name: 'Desk', type: 'email', is_default: true, config })
  const client = await data('POST', '/api/e/clients', { name: 'Rita & Co', email: 'rita@example.com' })
  id = (await data('POST', '/api/e/orders', { title: 'Desk <wide>', margin: '40 %', client_id: client.id })).id
})
afterAll(() => service?.stop())

describe('a snippet', () => {
  it('has the values of the record as plain text, with those of references, requester and writer', async () => {
    const { id: snippet } = await make({
      name: 'Greet',
      body: 'Dear {{requester.email}},\n\n{{record.title}} of {{record.client_id.name}}.\n{{me.name}}',
      model: 'orders',
    })
    const { body } = await fill(snippet, agent.token)
    const me = await data('GET', '/api/user', undefined, agent.token)
    expect(body.data).toEqual({
      id: snippet,
      name: 'Greet',
      text: `Dear rita@example.com,\n\nDesk <wide> of Rita & Co.\n${me.name}`,
      missing: [],
    })
  })

  it('is refused with the nearest right name when a placeholder names nothing', async () => {
    const refused = async (body: string, model: string | null = 'orders') =>
      (await api('POST', '/api/sys/snippets', { name: 'Wrong', body, model })).body.errors
    expect(await refused('Hi {{requestor.name}}')).toEqual({
      body: ['{{requestor.name}} names nothing for records of orders. Did you mean requester.name?'],
    })
    expect(await refused('{{record.titel}} {{record.client_id.nme}}')).toEqual({
      body: [
        '{{record.titel}} names nothing for records of orders. Did you mean record.title?',
        '{{record.client_id.nme}} names nothing for records of orders. Did you mean record.client_id.name?',
      ],
    })
    expect(await refused('{{record.titel}}', null)).toMatchObject({ body: [expect.stringContaining('record.title?')] })
    expect(await refused('{{#if x}}')).toMatchObject({ body: [expect.stringContaining('a placeholder is a path')] })
    expect(await refused('x', 'order')).toEqual({ model: ['There is no table order. Did you mean orders?'] })
    const roles = await api('POST', '/api/sys/snippets', { name: 'Wrong', body: 'x', roles: ['nobody'] })
    expect(roles.body.errors).toMatchObject({ 'roles.0': [expect.stringContaining('There is no role nobody.')] })
    expect(await api('POST', '/api/sys/snippets', { name: 'x', body: 'x' }, agent.token)).toMatchObject({ status: 403 })
  })

  it('is seen by those who write about records of its table, with one of its roles', async () => {
    const { id: forSales } = await make({ name: 'Sales only', body: 'x', model: 'orders', roles: ['admin'] })
    const { id: anywhere } = await make({ name: 'Anywhere', body: 'x' })
    const { id: ofClients } = await make({ name: 'Clients', body: 'x', model: 'clients' })
    expect(await namesFor(agent.token)).toEqual(['Anywhere', 'Greet'])
    const listed = (token: string): Promise<{ readonly name: string }[]> =>
      data('GET', '/api/sys/snippets?sort=name', undefined, token)
    const ofAdmin = await listed(service.admin.token)
    // The composer leaves out those that have a problem: each says whether it has one, as it does to administrators.
    expect(await listed(agent.token)).toEqual(ofAdmin.filter(({ name }) => name === 'Anywhere' || name === 'Greet'))
    expect(ofAdmin[0]).toMatchObject({ problem: null, created_at: expect.any(String) })
    expect(await namesFor(asker.token)).toEqual([])
    expect(await namesFor(service.admin.token)).toEqual(['Anywhere', 'Clients', 'Greet', 'Sales only'])
    const statuses = [
      await fill(anywhere, agent.token),
      await fill(forSales, agent.token),
      await fill(anywhere, asker.token),
    ]
    expect(statuses.map(({ status }) => status)).toEqual([200, 404, 404])
    expect(await fill(ofClients, service.admin.token)).toMatchObject({
      status: 404,
      body: { code: 'snippet_not_found' },
    })
  })

  it('never shows a field that its writer may not read, nor whom mails reach', async () => {
    const { id: snippet } = await make({
      name: 'Margin',
      body: '[{{record.margin}}{{record.data.margin}}{{requester.email}}] {{record.title}}',
      model: 'orders',
    })
    const fields = { orders: { read: ['title', 'client_id'] } }
    const limited = await userWith(service, ['orders.read', 'orders.update'], [], fields)
    expect((await fill(snippet, limited.token)).body.data).toMatchObject({
      text: '[] Desk <wide>',
      missing: ['record.margin', 'record.data.margin', 'requester.email'],
    })
  })

  it('is part of the configuration, whose check knows the tables that it makes', async () => {
    const exported = (await data('GET', '/api/sys/config')).snippets as { name: string }[]
    expect(exported.find(({ name }) => name === 'Greet')).toMatchObject({ model: 'orders', roles: null })
    const tables = [{ name: 'parts', label: 'Part', table_fields: [{ name: 'code', type: 'text' }] }]
    const snippets = [{ name: 'Code', body: 'It is {{record.code}}.', model: 'parts' }]
    const planned = await data('PUT', '/api/sys/config?dry_run=true', { tables, snippets })
    expect(planned.created).toEqual(expect.arrayContaining(['tables.parts', 'snippets.Code']))
    const wrong = [{ ...snippets[0], body: 'It is {{record.kode}}.' }]
    expect((await api('PUT', '/api/sys/config?dry_run=true', { tables, snippets: wrong })).body.errors).toMatchObject({
      'snippets.0.body': [expect.stringContaining('Did you mean record.code?')],
    })
    await data('PUT', '/api/sys/config', { tables, snippets })
    expect((await data('PUT', '/api/sys/config?dry_run=true', { tables, snippets })).changed).toEqual([])
  })

  it('says what it names and is no more', async () => {
    const entity = await data('GET', '/api/sys/entities/name/parts')
    const table_fields = [{ name: 'number', type: 'text' }]
    await data('PUT', '/api/sys/entities/name/parts', { ...entity, title_field: null, table_fields })
    const found = (await data('GET', '/api/sys/snippets')).find(({ name }: { name: string }) => name === 'Code')
    expect(found.problem).toContain('{{record.code}} names nothing')
  })
})
