import { afterAll, beforeAll, expect, it } from 'vitest'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type TestService, sharedService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'posts', [
    { name: 'title', type: 'text' },
    { name: 'slug', type: 'text' },
  ])
  const { id } = (
    await api('POST', '/api/sys/channels', {
      name: 'changes',
      type: 'stream',
      is_default: true,
      config: { provider: 'kinesis', stream_name: 'orders', region: 'us-east-1' },
    })
  ).body.data
  const subscription = { name: 'Posts', table: 'posts', events: ['create', 'update'], channel_id: id }
  await api('POST', '/api/sys/subscriptions', subscription)
  await setHooks(service, 'posts', [
    [
      'before_create',
      "$data.slug = String($data.title).toLowerCase(); $api.publish({ before: $data.title }, 'stream')",
    ],
    ['after_create', "if (!$api.publish({ after: $data.title }, 'stream')) $api.log('kept quiet')"],
  ])
})
afterAll(() => service?.stop())

const sent = async (): Promise<number> => {
  await service.cloud.idle()
  return (await api('GET', '/api/sys/deliveries?model=posts')).body.meta.total
}

it('an import tells subscriptions, and sends what hooks ask for', async () => {
  expect((await api('POST', '/api/e/posts/import', { rows: [{ title: 'Lamp' }] })).body.data.created).toBe(1)
  expect(await sent()).toBe(3)
})

it.each([
  ['in the body', '', { skip_notifications: true }],
  ['in the query', '?skip_notifications=true', {}],
])('with skip_notifications %s it notifies nobody, and its hooks run', async (_, query, more) => {
  const before = await sent()
  const { body } = await api('POST', `/api/e/posts/import${query}`, { rows: [{ title: 'Quiet' }], ...more })
  expect(await sent()).toBe(before)
  const [id] = body.data.ids
  expect((await api('GET', `/api/e/posts/${id}`)).body.data.data.slug).toBe('quiet')
  const [run] = (await api('GET', '/api/sys/script-runs?model=posts')).body.data
  expect(JSON.stringify(run.log)).toContain('kept quiet')
  expect(JSON.stringify(run.log)).toContain('because the import skips notifications')

  await api('PATCH', `/api/e/posts/${id}`, { title: 'Loud' })
  expect(await sent()).toBe(before + 1)
})

it('a key that comes again with another flag is another request', async () => {
  const send = (skip: boolean) =>
    service.api('POST', '/api/e/posts/import', {
      token: service.admin.token,
      body: { rows: [{ title: 'Once' }], skip_notifications: skip },
      headers: { 'idempotency-key': 'posts-1' },
    })
  expect((await send(true)).status).toBe(200)
  expect((await send(false)).status).toBe(422)
})
