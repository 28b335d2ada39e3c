import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findTenantBySlug } from '../../../shared/accounts/tenants/find-tenant.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { threadKeys } from '../../../shared/messages/deliveries/threads/thread-key.ts'
import { storeMail } from '../../../shared/messages/mailbox/mail/store-mail.ts'
import { recordToken } from '../../../shared/platform/mail/record-thread.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { mailOf } from '../../make/loads/mails/mail-shape.ts'
import { startService, type TestService } from '../../make/services/service.ts'

/* Somebody who is no user follows a record by the link in a mail; users read its name and link in theirs. */

let service: TestService
const api = async (method: string, path: string, body?: unknown, token = service.admin.token): Promise<any> => {
  const answer = await service.api(method, path, { token, body })
  expect([method, path, answer.status, answer.body]).toEqual([
    method,
    path,
    expect.toSatisfy((status) => status < 300),
    answer.body,
  ])
  return answer.body?.data
}
const settings = (body: object) => service.api('PUT', '/api/sys/settings', { token: service.admin.token, body })
const follow = (token: string) => service.api('GET', `/api/follow/${token}`)
const mailTo = async (address: string) => {
  await service.cloud.idle()
  return service.cloud.outbox.list({ type: 'mail', to: address })[0]
}
const script = `$api->sendEmail('received', 'ann@northwind.test', {})`

beforeAll(async () => {
  service = await startService({ log: () => {} })
  await api('POST', '/api/sys/entities', {
    name: 'requests',
    label: 'Requests',
    title_field: 'title',
    table_fields: [
      { name: 'title', label: 'Title', type: 'text' },
      { name: 'secret', label: 'Secret', type: 'text' },
      {
        name: 'status',
        label: 'Status',
        type: 'state_model',
        states: [
          { slug: 'new', label: 'Just arrived', color: '#1677ff', is_initial: true },
          { slug: 'done', label: 'Settled', color: '#52c41a', is_final: true },
        ],
        transitions: [{ from: 'new', to: 'done' }],
      },
    ],
    automations: [{ kind: 'after_create', name: 'mail', script }],
  })
  const template = {
    code: 'received',
    name: 'Received',
    subject: 'Received',
    body: '<a href="{{follow_url}}">Follow</a>',
  }
  await api('POST', '/api/sys/notification_templates', template)
})
afterAll(() => service?.stop())

/** Creates a request, and answers its id and the token in the mail about it. */
async function mailedToken(): Promise<{ id: number; token: string }> {
  const { id } = await api('POST', '/api/e/requests', { title: 'The lamp', secret: 'hidden word' })
  const mail = await mailTo('ann@northwind.test')
  const found = new RegExp(`href="${service.url}/follow/([^"]+)"`).exec(mail?.html ?? '')
  return { id, token: found?.[1] ?? '' }
}

it('a template has no link while the company allows none', async () => {
  expect((await mailedToken()).token).toBe('')
})

it('only tables that exist can be followed, and none that is built in', async () => {
  expect((await settings({ FOLLOW_TABLES: 'requets' })).body.errors.FOLLOW_TABLES).toEqual([
    'The selected FOLLOW_TABLES is invalid: there is no such table. Did you mean requests?',
  ])
  expect((await settings({ FOLLOW_TABLES: 'sys_users' })).status).toBe(422)
  expect((await settings({ FOLLOW_TABLES: 'requests;' })).status).toBe(422)
})

it('whoever has the link sees title, number, state and public comments, and nothing else', async () => {
  expect((await settings({ FOLLOW_TABLES: 'requests' })).status).toBe(200)
  const { id, token } = await mailedToken()
  await api('POST', `/api/e/requests/${id}/comments`, { body: 'We ordered a new one.' })
  await api('POST', `/api/e/requests/${id}/comments`, { body: 'Expensive customer.', is_internal: true })
  const { status, body, headers } = await follow(token)
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(body.data).toEqual({
    company: 'Acme Ltd',
    label: 'Requests',
    number: id,
    title: 'The lamp',
    state: 'Just arrived',
    created_at: expect.any(String),
    updated_at: expect.any(String),
    comments: [{ name: 'Acme Ltd', is_company: true, body: 'We ordered a new one.', created_at: expect.any(String) }],
    has_more: false,
  })
})

it('after a merge each link shows the words of its own requester, what the team answers both, and the state of the survivor', async () => {
  const tenant = (await findTenantBySlug(service.store, service.tenant.slug)) as Tenant
  const { store } = service
  const threadKey = threadKeys({ store, clock })
  const rule = { name: 'Mail', channel: 'email', target_model: 'requests', is_automatic: true, on_reply: 'comment' }
  await api('POST', '/api/sys/incoming-actions', { ...rule, field_mapping: { title: 'subject' } })
  /** Somebody answers a mail about a request. */
  const answers = async (id: number, from: string, body: string) => {
    const Subject = `Re: Lamp ${recordToken(await threadKey(tenant), tenant.id, { model: 'requests', id })}`
    const raw = mailOf({ From: `${from} <${from}@example.com>`, Subject, 'Message-ID': `<${randomUUID()}@a.b>` }, body)
    const services = {
      store,
      clock,
      threadKey,
      putObject: async () => {},
      fetchObject: async () => Buffer.alloc(0),
      trustedServer: async () => undefined,
    }
    await storeMail(services, tenant, { raw, sizeBytes: raw.length, internalDate: new Date() }, [])
    await service.cloud.idle()
  }
  const comment = (id: number, body: string) => api('POST', `/api/e/requests/${id}/comments`, { body })
  const shown = async ({ token }: { token: string }) => {
    const { comments, state, number } = (await follow(token)).body.data
    return [number, state, ...comments.map(({ name, body }: any) => `${name}: ${body}`)]
  }
  const [kept, gone] = [await mailedToken(), await mailedToken()]
  await answers(kept.id, 'kim', 'Mine flickers.')
  await answers(gone.id, 'gus', 'Mine is dark.')
  await comment(kept.id, 'Only Kim is asked.')
  await api('POST', `/api/e/requests/${gone.id}/merge`, { into: kept.id })
  await answers(gone.id, 'gus', 'Still dark.')
  await answers(kept.id, 'kim', 'Still flickers.')
  await comment(kept.id, 'Both lamps are new.')
  await api('PATCH', `/api/e/requests/${kept.id}`, { status: 'done' })
  const team = 'Acme Ltd: Both lamps are new.'
  const ofKim = ['kim: Mine flickers.', 'Acme Ltd: Only Kim is asked.', 'kim: Still flickers.', team]
  expect(await shown(kept)).toEqual([kept.id, 'Settled', ...ofKim])
  expect(await shown(gone)).toEqual([gone.id, 'Settled', 'gus: Mine is dark.', 'gus: Still dark.', team])
  await api('POST', `/api/e/requests/${gone.id}/unmerge`)
  expect(await shown(kept)).toEqual([kept.id, 'Settled', ...ofKim])
  expect(await shown(gone)).toEqual([gone.id, 'Just arrived', 'gus: Mine is dark.'])
})

it('the link leads to no other record, of no other company, and ends with the setting or the record', async () => {
  const { id, token } = await mailedToken()
  const refused = async (text: string) => {
    const { status, body } = await follow(text)
    expect([text, status, body.code]).toEqual([text, 404, 'record_not_found'])
  }
  await refused(token.replace(`.${id}.`, `.${id - 1}.`))
  await refused(token.replace('requests', 'clients'))
  const other = await otherTenant(service)
  expect(other.token).toBeDefined()
  await refused(token.replace(/^\d+/, '2'))
  await refused('none')
  await settings({ FOLLOW_TABLES: null })
  await refused(token)
  await settings({ FOLLOW_TABLES: 'requests' })
  expect((await follow(token)).status).toBe(200)
  await api('DELETE', `/api/e/requests/${id}`)
  await refused(token)
})

it('mails of notifications name the record, with its link, in the language of the person', async () => {
  const { id } = await mailedToken()
  const { token, role, id: userId } = await userWith(service, ['requests.*'])
  await api('PUT', '/api/user', { locale: 'de-AT' }, token)
  await api('PUT', '/api/user/preferences', { notifications: { mention: { email: true } } }, token)
  const mention = () => api('POST', `/api/e/requests/${id}/comments`, { body: `@[${userId}] have a look` })
  await mention()
  const mail = await mailTo(`${role}@acme.test`)
  expect(mail?.subject).toBe(`Grace Hopper mentioned you in Requests ${id}`)
  expect(mail?.html).toContain(`<b>Requests ${id}: The lamp</b>`)
  expect(mail?.html).toContain(`<a href="${service.url}/e/requests/${id}">Öffnen</a>`)
  expect(mail?.source).toMatch(/^Auto-Submitted: auto-generated\r$/m)

  const own = { code: 'notification', name: 'Layout', subject: '{{title}}', body: '<h1>{{record.name}}</h1>{{url}}' }
  await api('POST', '/api/sys/notification_templates', own)
  await mention()
  expect((await mailTo(`${role}@acme.test`))?.html).toContain(
    `<h1>Requests ${id}: The lamp</h1>${service.url}/e/requests/${id}`,
  )
})

it('a person from whom field rules hide the title gets neither the title nor the public link', async () => {
  const { id } = await mailedToken()
  const rules = { requests: { read: ['status'] } }
  const { token, role, id: userId } = await userWith(service, ['requests.*'], [], rules)
  await api('PUT', '/api/user/preferences', { notifications: { mention: { email: true } } }, token)
  await api('POST', `/api/e/requests/${id}/comments`, { body: `@[${userId}] have a look` })
  const mail = await mailTo(`${role}@acme.test`)
  expect(mail?.html).toContain(`<h1>Requests ${id}</h1>`)
  expect(mail?.source).not.toMatch(/The lamp|\/follow\//)
})
