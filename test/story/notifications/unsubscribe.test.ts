import { afterAll, beforeAll, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

/* Mails about what somebody watches end by one click, without a sign-in. */

let service: TestService
beforeAll(async () => {
  service = await startService({ log: () => {} })
  const config = { transport: 'ses', from_address: 'desk@acme.test' }
  await data('POST', '/api/sys/channels', { name: 'mail', type: 'email', is_default: true, config })
})
afterAll(() => service?.stop())

async function data(method: string, path: string, body?: unknown, token = service.admin.token): Promise<any> {
  const answer = await service.api(method, path, { token, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}
async function mailsTo({ id }: { readonly id: number }): Promise<any[]> {
  await service.cloud.idle()
  const to = encodeURIComponent((await data('GET', `/api/sys/users/${id}`)).email)
  return ((await (await fetch(`${service.url}/_local/outbox?type=mail&to=${to}`)).json()) as { data: any[] }).data
}
const sourceOf = async ({ id }: { readonly id: number }): Promise<string> =>
  (await (await fetch(`${service.url}/_local/outbox/${id}/source`)).text())
    .replaceAll('=\r\n', '')
    .replaceAll('=3D', '=')
    .replaceAll(/\r\n[ \t]+/g, ' ')
const headerOf = (source: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*?)\\r?$`, 'im').exec(source)?.[1]
/** The address in the header of the latest mail to a person. */
const addressOf = async (person: { readonly id: number }): Promise<string> =>
  /<([^>]+)>/.exec(headerOf(await sourceOf((await mailsTo(person))[0]), 'List-Unsubscribe') ?? '')?.[1] ?? ''

it('one click ends the notices of one record for one person, and the page takes it back', async () => {
  await makeTable(service, 'tickets', [{ name: 'title', type: 'text', required: true }])
  const agent = await userWith(service, ['tickets.read', 'tickets.comment'])
  const other = await userWith(service, ['tickets.read', 'tickets.comment'])
  for (const { token } of [agent, other])
    await data('PUT', '/api/user/preferences', { notifications: { comment: { email: true } } }, token)
  const ids: number[] = []
  for (const title of ['One', 'Two']) {
    const { id } = await data('POST', '/api/e/tickets', { title })
    for (const { token } of [agent, other]) await data('POST', `/api/e/tickets/${id}/watchers`, undefined, token)
    ids.push(id)
  }
  const [one, two] = ids as [number, number]
  const comment = (id: number) => data('POST', `/api/e/tickets/${id}/comments`, { body: 'Hello.' })
  await comment(one)
  const source = await sourceOf((await mailsTo(agent))[0])
  expect(headerOf(source, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
  const address = await addressOf(agent)
  expect(address).toMatch(/^http.*\/api\/unsubscribe\//)
  expect(source).toContain(`href="${address.replace('/api/', '/')}"`)

  // A program that looks at links, and a browser that is led to the page, end nothing.
  for (const method of ['GET', 'HEAD']) await fetch(address, { method })
  const led = await fetch(address, { headers: { accept: 'text/html' }, redirect: 'manual' })
  expect([led.status, led.headers.get('location')]).toEqual([302, address.replace('/api/', '/')])
  const page = await fetch(address.replace('/api/', '/'), { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const shown = await (await fetch(address)).json()
  expect(shown).toMatchObject({ data: { record: { number: one }, is_of_record: true, is_ended: false } })

  const click = () =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
  for (const answer of [await click(), await click()]) expect(answer.status).toBe(200)
  expect(await data('GET', `/api/e/tickets/${one}/watchers`, undefined, agent.token)).toMatchObject({
    is_watching: false,
  })
  await comment(one)
  expect(await mailsTo(agent)).toHaveLength(1)
  expect(await mailsTo(other)).toHaveLength(2)
  await comment(two)
  expect(await mailsTo(agent)).toHaveLength(2)

  expect(await (await fetch(address, { method: 'DELETE' })).json()).toMatchObject({ data: { is_ended: false } })
  await comment(one)
  expect(await mailsTo(agent)).toHaveLength(3)
  // The link of one is not that of another, of another record or another kind.
  const token = address.split('/').at(-1) as string
  for (const wrong of [
    token.replace(`tickets-${one}`, `tickets-${two}`),
    token.replace(`.${agent.id}.`, `.${other.id}.`),
    token.replace(`tickets-${one}`, 'subscription'),
  ])
    expect((await service.api('POST', `/api/unsubscribe/${wrong}`)).status).toBe(404)
})

it('mails about own requests and tasks have no such link; whoever was added to a request keeps it', async () => {
  await makeTable(service, 'wishes', [{ name: 'title', type: 'text', required: true }])
  const [requester, friend] = [await userWith(service, []), await userWith(service, [])]
  const item = await data('POST', '/api/sys/portal/items', { name: 'A wish', model: 'wishes', fields: ['title'] })
  const request = await data(
    'POST',
    '/api/portal/requests',
    { item_id: item.id, data: { title: 'Sun' } },
    requester.token,
  )
  await data('POST', `/api/portal/requests/${request.id}/watchers`, { user_ids: [friend.id] }, requester.token)
  await data('POST', '/api/e/wishes/1/comments', { body: 'Soon.' })
  expect(await addressOf(requester)).toBe('')
  const address = await addressOf(friend)
  const token = address.split('/').at(-1) as string
  // The friend may not read the record: it is not named.
  expect((await service.api('GET', `/api/unsubscribe/${token}`)).body.data).toMatchObject({ record: null })
  expect((await service.api('POST', `/api/unsubscribe/${token}`)).status).toBe(200)
  await data('POST', '/api/e/wishes/1/comments', { body: 'Tomorrow.' })
  expect([(await mailsTo(requester)).length, (await mailsTo(friend)).length]).toEqual([2, 1])
  expect(await data('GET', `/api/portal/requests/${request.id}`, undefined, friend.token)).toMatchObject({
    id: request.id,
  })
  // Whoever was taken from the request gets nothing by taking it back.
  await data('DELETE', `/api/portal/requests/${request.id}/watchers/${friend.id}`, undefined, requester.token)
  await service.api('DELETE', `/api/unsubscribe/${token}`)
  expect((await service.api('GET', `/api/portal/requests/${request.id}`, { token: friend.token })).status).toBe(404)
  await data('POST', '/api/e/wishes/1/comments', { body: 'Today.' })
  expect(await mailsTo(friend)).toHaveLength(1)
})

it('mails of subscriptions end all together, and stay in the bell', async () => {
  const reader = await userWith(service, ['tickets.read'])
  await data('PUT', '/api/user/preferences', { notifications: { subscription: { email: true } } }, reader.token)
  await data('POST', '/api/sys/subscriptions', {
    name: 'New tickets',
    table: 'tickets',
    events: ['create'],
    users: [reader.id],
    is_active: true,
  })
  await data('POST', '/api/e/tickets', { title: 'Three' })
  const token = (await addressOf(reader)).split('/').at(-1) as string
  const ended = await service.api('POST', `/api/unsubscribe/${token}`)
  expect(ended.body.data).toMatchObject({ is_of_record: false, record: null, is_ended: true })
  await data('POST', '/api/e/tickets', { title: 'Four' })
  expect(await mailsTo(reader)).toHaveLength(1)
  expect(await data('GET', '/api/notifications', undefined, reader.token)).toHaveLength(2)
})
