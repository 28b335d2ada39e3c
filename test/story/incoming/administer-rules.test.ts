import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { messagesPath, rulesPath, type RuleWorld, ruleWorld } from '../../make/services/worlds/rule-world.ts'

let world: RuleWorld
let service: RuleWorld['service']
const api: RuleWorld['api'] = (...given) => world.api(...given)
const rule: RuleWorld['rule'] = (...given) => world.rule(...given)
const send: RuleWorld['send'] = (...given) => world.send(...given)

beforeAll(async () => {
  world = await ruleWorld()
  ;({ service } = world)
})
afterAll(() => service?.stop())
beforeEach(() => world.clear())

describe('the administration of rules', () => {
  it('checks everything when a rule is saved', async () => {
    const answer = await api('POST', rulesPath, {
      name: 'Wrong',
      channel: 'email',
      target_model: 'requests',
      field_mapping: { titel: 'subject', priority: '=many', source: 'payload..x', description: 'bdy' },
      script: 'if (',
      condition: { subject: { _like: 'x' } },
    })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject({
      'field_mapping.titel': ['There is no field titel of requests. Did you mean title?'],
      'field_mapping.priority': ['The priority must be a number.'],
      'field_mapping.source': [expect.stringContaining('is not a path')],
      'field_mapping.description': ['A message has no member bdy. Did you mean body?'],
      'condition.subject._like': ['There is no operator _like.'],
      script: [expect.any(String)],
    })
    const table = await api('POST', rulesPath, { name: 'Wrong', channel: 'email', target_model: 'request' })
    expect(table.body.errors.target_model).toEqual(['There is no table request. Did you mean requests?'])
    const shape = await api('POST', rulesPath, {
      name: 'Wrong',
      channel: 'fax',
      target_model: 'requests',
      button_color: 'url(x)',
    })
    expect(Object.keys(shape.body.errors)).toEqual(expect.arrayContaining(['channel', 'button_color']))
  })

  it('creates, reads, changes and deletes, with unique names', async () => {
    const created = await rule({ name: 'Life', field_mapping: { title: 'subject' } })
    expect(created).toMatchObject({
      on_reply: 'comment',
      position: 0,
      is_active: true,
      send_comments: false,
      version: 1,
    })
    const one = `${rulesPath}/${created.id}`
    expect((await api('GET', one)).body.data).toEqual(created)
    expect((await api('POST', rulesPath, { name: 'Life', channel: 'api', target_model: 'requests' })).status).toBe(409)
    const changed = (await api('PUT', one, { ...created, position: 4 })).body.data
    expect(changed).toMatchObject({ position: 4, version: 2 })
    expect((await api('PUT', one, { ...created, position: 5 })).body.code).toBe('version_mismatch')
    expect((await api('PUT', one, changed)).body.data).toEqual(changed)
    expect((await api('DELETE', '/api/sys/entities/name/requests')).body.code).toBe('in_use')
    expect((await api('DELETE', one)).status).toBe(204)
    expect((await api('GET', one)).body.code).toBe('incoming_action_not_found')
  })

  it('is for administrators, and stays inside the tenant', async () => {
    const { id } = await rule({ is_automatic: false, field_mapping: { title: 'subject' } })
    const { id: message } = await send({ subject: 'Ours' })
    const user = await userWith(service, ['requests.*'])
    expect((await api('POST', rulesPath, {}, user.token)).status).toBe(403)
    expect((await api('PUT', `${rulesPath}/${id}`, {}, user.token)).status).toBe(403)
    expect((await api('POST', `${messagesPath}/${message}/reprocess`, undefined, user.token)).status).toBe(403)
    const { token } = await otherTenant(service)
    for (const [method, path, body] of [
      ['GET', `${rulesPath}/${id}`],
      ['PUT', `${rulesPath}/${id}`, { position: 1 }],
      ['DELETE', `${rulesPath}/${id}`],
      ['POST', `${rulesPath}/${id}/prepare`, { message_id: message }],
      ['POST', `${rulesPath}/${id}/execute`, { message_id: message }],
      ['POST', `${messagesPath}/${message}/reprocess`],
    ] as const)
      expect((await api(method, path, body, token)).status).toBe(404)
    expect((await api('GET', rulesPath, undefined, token)).body.data).toEqual([])
  })

  it('lists the tables that the caller may fill', async () => {
    const agent = await userWith(service, ['clients.create'], [], { clients: { read: ['name'], write: ['name'] } })
    expect((await api('GET', `${rulesPath}/models`, undefined, agent.token)).body.data).toEqual([
      { model_class: 'clients', label: expect.any(String), fields: [{ name: 'name', type: 'text' }] },
    ])
    const all = (await api('GET', `${rulesPath}/models`)).body.data
    expect(all.map((one: { model_class: string }) => one.model_class)).toEqual(
      expect.arrayContaining(['clients', 'requests', 'sys_companies']),
    )
  })
})
