import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { retentionKey, tombstoneKey } from '../../../shared/platform/store/keys/records.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sample, upload } from '../../make/builders/records/uploads.ts'
import { type TestService, sharedService } from '../../make/services/service.ts'
import { itemsOf } from '../../make/services/stores/items-of.ts'

type User = Awaited<ReturnType<typeof userWith>>

let service: TestService
let agent: User
let client: User
let stranger: User

const api = (method: string, path: string, body?: unknown, token = service.admin.token, headers = {}) =>
  service.api(method, path, { token, body, headers })
const create = async (data: object = {}, token?: string) =>
  (await api('POST', '/api/e/requests', { title: 'Printer', ...data }, token)).body.data.id as number
const at = (id: number, rest = '') => `/api/e/requests/${id}/comments${rest}`
const comment = async (id: number, body: object, token?: string) => {
  const answer = await api('POST', at(id), body, token)
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}
const bodies = async (id: number, token?: string, query = '') =>
  (await api('GET', at(id, query), undefined, token)).body.data.map(({ body }: { body: string }) => body)
const claims = async (path: string) =>
  (await itemsOf(service, `T#${service.tenant.id}#F#${path.split('/')[2]}`)).filter(({ sk }) => sk.startsWith('CLAIM#'))
    .length
const rowsOf = async (id: number) =>
  (await itemsOf(service, `T#${service.tenant.id}#`)).filter(
    ({ pk }) => /#(COMMENTI?|DISCUSSION)#requests#/.test(pk) && pk.endsWith(`#${id}`),
  )
const open = (path: string, token: string) =>
  api('GET', `/api/files?path=${encodeURIComponent(path)}`, undefined, token)

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'requests', [
    { name: 'title', type: 'text' },
    { name: 'owner_id', type: 'user' },
    { name: 'plan', type: 'file' },
  ])
  agent = await userWith(service, ['requests.read', 'requests.comment', 'requests.comment_internal'])
  const ownOnly = { table: 'requests', action: 'read', filter: { created_by: '$CURRENT_USER' } }
  client = await userWith(service, ['requests.read', 'requests.create', 'requests.comment'], [ownOnly])
  stranger = await userWith(service, ['requests.read', 'requests.comment'], [ownOnly])
})
afterAll(() => service?.stop())

describe('a comment', () => {
  it('is answered as it was written, with the names of its author and of those it mentions', async () => {
    const id = await create()
    const { status, body, headers } = await api('POST', at(id), { body: `Ask @[${agent.id}] and @[999].` }, undefined)
    expect([status, headers.get('etag')]).toEqual([201, '"1"'])
    expect(body.data).toEqual({
      id: expect.any(Number),
      body: `Ask @[${agent.id}] and @[999].`,
      is_internal: false,
      attachments: [],
      mentions: [{ id: agent.id, name: expect.stringMatching(/^User/) }],
      user: { id: service.admin.userId, name: expect.any(String) },
      created_at: expect.any(String),
      updated_at: body.data.created_at,
      is_edited: false,
      version: 1,
    })
    expect((await api('GET', at(id))).body.data).toEqual([body.data])
  })

  it.each([
    [{ body: '' }, 'body'],
    [{ body: ' \n' }, 'body'],
    [{ body: 'x'.repeat(20_001) }, 'body'],
    [{ body: 'x', attachments: Array.from({ length: 21 }, () => 'files/1/none/x') }, 'attachments'],
    [{ body: 'x', attachments: ['files/1/none/x'] }, 'attachments'],
    [{ body: Array.from({ length: 51 }, (_, n) => `@[${n + 1}]`).join() }, 'body'],
    [{ body: 'x', user: 1 }, 'user'],
  ])('is refused: %#', async (wrong, field) => {
    const { status, body } = await api('POST', at(await create()), wrong)
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  it('takes 20,000 characters and 20 files', async () => {
    const id = await create()
    const paths = await Promise.all(Array.from({ length: 20 }, (_, n) => upload(service, { name: `${n}.png` })))
    const made = await comment(id, { body: '€'.repeat(20_000), attachments: paths })
    expect([made.body.length, made.attachments.map((one: any) => one.path)]).toEqual([20_000, paths])
    expect(made.attachments[0]).toEqual({
      path: paths[0],
      name: expect.any(String),
      content_type: expect.any(String),
      size: expect.any(Number),
    })
  })

  it('is written once under an Idempotency-Key', async () => {
    const id = await create()
    const send = (body: string) => api('POST', at(id), { body }, undefined, { 'idempotency-key': `key-${id}` })
    const [one, other] = await Promise.all([send('Once'), send('Once')])
    expect([one.status, other.status, one.body.data]).toEqual([201, 201, other.body.data])
    expect(await bodies(id)).toEqual(['Once'])
    expect((await send('Twice')).body.code).toBe('idempotency_key_reused')
  })

  it('is not lost among others that are written at the same time', async () => {
    const id = await create()
    await Promise.all(Array.from({ length: 8 }, (_, n) => comment(id, { body: `${n}` })))
    const { body } = await api('GET', at(id))
    expect([body.meta.total, body.data.length]).toEqual([8, 8])
  })

  it('is 404 for a record that does not exist, was deleted, or may not be read', async () => {
    const gone = await create()
    await api('DELETE', `/api/e/requests/${gone}`)
    for (const [id, token] of [
      [gone, undefined],
      [9999, undefined],
      [await create(), stranger.token],
    ] as const)
      for (const [method, body] of [['GET'], ['POST', { body: 'x' }]] as const)
        expect([(await api(method, at(id), body, token)).status]).toEqual([404])
  })
})

describe('the list of comments', () => {
  it('is paged newest first, by page and by cursor, with its total', async () => {
    const id = await create()
    for (let n = 1; n <= 5; n += 1) await comment(id, { body: `${n}`, is_internal: n % 2 === 0 })
    expect(await bodies(id)).toEqual(['5', '4', '3', '2', '1'])
    expect(await bodies(id, undefined, '?per_page=2&page=2')).toEqual(['3', '2'])
    const first = (await api('GET', at(id, '?per_page=2'))).body
    expect([first.meta.total, first.data.map((one: any) => one.body)]).toEqual([5, ['5', '4']])
    const second = (await api('GET', at(id, `?per_page=2&cursor=${first.meta.next_cursor}`))).body
    const third = (await api('GET', at(id, `?per_page=2&cursor=${second.meta.next_cursor}`))).body
    expect([second.data, third.data].map((page) => page.map((one: any) => one.body))).toEqual([['3', '2'], ['1']])
    expect(third.meta.next_cursor).toBeNull()
    const elsewhere = await api('GET', at(await create(), `?cursor=${first.meta.next_cursor}`))
    expect([elsewhere.status, elsewhere.body.code]).toEqual([422, 'invalid_cursor'])
  })

  it('shows internal comments only to those with their permission, which update does not hold', async () => {
    const id = await create({}, client.token)
    await comment(id, { body: 'For all' })
    const internal = await comment(id, { body: 'Among us', is_internal: true }, agent.token)
    expect(await bodies(id, agent.token)).toEqual(['Among us', 'For all'])
    const updater = await userWith(service, ['requests.read', 'requests.update'])
    for (const { token } of [client, updater]) {
      const refused = await api('POST', at(id), { body: 'x', is_internal: true }, token)
      expect([refused.status, refused.body.code, refused.body.message]).toEqual([
        403,
        'forbidden',
        'You need the permission requests.comment_internal, and none of your roles has it. Ask an administrator.',
      ])
      const list = (await api('GET', at(id), undefined, token)).body
      expect([list.meta.total, list.data.map((one: any) => one.body)]).toEqual([1, ['For all']])
      for (const method of ['PUT', 'DELETE'])
        expect((await api(method, at(id, `/${internal.id}`), { body: 'x' }, token)).status).toBe(404)
    }
  })

  it('is internal for those who may do no more than that', async () => {
    const id = await create()
    for (const permission of ['requests.comment_internal', '*.comment_internal']) {
      const { token } = await userWith(service, ['requests.read', permission])
      const made = await comment(id, { body: 'Among us', is_internal: true }, token)
      const refusals = [
        await api('POST', at(id), { body: 'x' }, token),
        await api('PUT', at(id, `/${made.id}`), { is_internal: false }, token),
      ]
      for (const { status, body } of refusals)
        expect([status, body.message]).toEqual([403, expect.stringContaining('permission requests.comment,')])
      expect((await api('PUT', at(id, `/${made.id}`), { body: 'Still' }, token)).body.data.is_internal).toBe(true)
      expect((await api('DELETE', at(id, `/${made.id}`), undefined, token)).status).toBe(204)
    }
  })

  it('needs read, and writing needs comment or update', async () => {
    const id = await create()
    const reader = await userWith(service, ['requests.read'])
    expect((await api('GET', at(id), undefined, reader.token)).status).toBe(200)
    expect((await api('POST', at(id), { body: 'x' }, reader.token)).status).toBe(403)
    const updater = await userWith(service, ['requests.read', 'requests.update'])
    expect((await api('POST', at(id), { body: 'x' }, updater.token)).status).toBe(201)
    const everywhere = await userWith(service, ['*.read', '*.comment'])
    expect((await api('POST', at(id), { body: 'x' }, everywhere.token)).status).toBe(201)
    expect((await api('GET', at(id), undefined, (await userWith(service, [])).token)).status).toBe(403)
  })
})

describe('editing and deleting', () => {
  it('is for the author, and an administrator may delete any comment', async () => {
    const id = await create({}, client.token)
    const { id: made } = await comment(id, { body: 'Mine' }, client.token)
    const refused = await api('PUT', at(id, `/${made}`), { body: 'Yours' })
    expect([refused.status, refused.body.code]).toEqual([403, 'comment_not_yours'])
    expect((await api('DELETE', at(id, `/${made}`), undefined, agent.token)).body.code).toBe('comment_not_yours')
    const edited = await api('PUT', at(id, `/${made}`), { body: 'Still mine' }, client.token)
    expect([edited.status, edited.body.data.body, edited.body.data.is_edited]).toEqual([200, 'Still mine', true])
    expect((await api('DELETE', at(id, `/${made}`))).status).toBe(204)
    const { body } = await api('GET', at(id))
    expect([body.data, body.meta.total]).toEqual([[], 0])
    expect((await api('DELETE', at(id, `/${made}`))).status).toBe(404)
  })

  it('of a comment that changed since it was read is refused', async () => {
    const id = await create()
    const { id: made } = await comment(id, { body: 'One' })
    const put = (body: object, headers = {}) => api('PUT', at(id, `/${made}`), body, undefined, headers)
    expect((await put({ body: 'Two' }, { 'if-match': '"1"' })).status).toBe(200)
    const stale = await put({ body: 'Three' }, { 'if-match': '"1"' })
    expect([stale.status, stale.body.data]).toEqual([412, { version: 2 }])
    expect((await put({ body: 'Three', version: 1 })).status).toBe(412)
    expect((await put({ body: 'Two' })).body.data.version).toBe(2)
    expect((await api('DELETE', at(id, `/${made}`), undefined, undefined, { 'if-match': '"1"' })).status).toBe(412)
    expect(await bodies(id)).toEqual(['Two'])
  })

  it('may make a comment internal and back, for those with both permissions', async () => {
    const id = await create({}, client.token)
    const { id: made } = await comment(id, { body: 'Hm' }, agent.token)
    const hide = (is_internal: boolean) => api('PUT', at(id, `/${made}`), { is_internal }, agent.token)
    const seen = async () => (await api('GET', at(id), undefined, client.token)).body
    expect([(await hide(true)).body.data.is_internal, (await seen()).data, (await seen()).meta.total]).toEqual([
      true,
      [],
      0,
    ])
    expect([(await hide(false)).status, (await seen()).data.length, (await seen()).meta.total]).toEqual([200, 1, 1])
    const { id: own } = await comment(id, { body: 'Mine' }, client.token)
    const refused = await api('PUT', at(id, `/${own}`), { is_internal: true }, client.token)
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('comment_internal,')])
  })

  it('ends for internal comments when their author loses the permission, as reading them does', async () => {
    const id = await create()
    const { token, roleId } = await userWith(service, ['requests.read', 'requests.*'])
    const path = await upload(service, { name: 'own.png' })
    const hidden = { body: 'Among us', is_internal: true, attachments: [path] }
    const headers = { 'idempotency-key': `lost-${id}` }
    const made = (await api('POST', at(id), hidden, token, headers)).body.data
    await api('PUT', `/api/sys/roles/${roleId}`, { permissions: ['requests.read', 'requests.update'] })
    expect(await bodies(id, token)).toEqual([])
    for (const [method, body] of [
      ['PUT', { body: 'x' }],
      ['PUT', { body: 'x', is_internal: false }],
      ['DELETE'],
    ] as const)
      expect((await api(method, at(id, `/${made.id}`), body, token)).status).toBe(404)
    expect((await api('POST', at(id), hidden, token, headers)).status).toBe(403)
    expect((await open(path, token)).status).toBe(404)
  })
})

describe('the files of a comment', () => {
  it('are opened by those who may read it, and let go with it', async () => {
    const id = await create({}, client.token)
    const [shown, hidden] = [await upload(service, { name: 'a.png' }), await upload(service, { name: 'b.png' })]
    const { id: made } = await comment(id, { body: 'See', attachments: [shown] }, agent.token)
    await comment(id, { body: 'Secret', attachments: [hidden], is_internal: true }, agent.token)
    expect((await open(shown, client.token)).body.data.size).toBe(sample.png.length)
    expect((await open(hidden, client.token)).status).toBe(404)
    expect((await open(hidden, agent.token)).status).toBe(200)
    expect((await open(shown, stranger.token)).status).toBe(404)
    await api('PUT', at(id, `/${made}`), { attachments: [] }, agent.token)
    expect([await claims(shown), (await open(shown, client.token)).status]).toEqual([0, 404])
  })

  it('stay with a record that holds the same file', async () => {
    const path = await upload(service, { name: 'plan.png' })
    const id = await create({ plan: path })
    const { id: made } = await comment(id, { body: 'The plan', attachments: [path] })
    expect(await claims(path)).toBe(2)
    await api('DELETE', at(id, `/${made}`))
    expect(await claims(path)).toBe(1)
    await api('PATCH', `/api/e/requests/${id}`, { plan: null })
    expect(await claims(path)).toBe(0)
  })
})

describe('deleting a record', () => {
  it('hides its comments, and a restored record has them again, with their files', async () => {
    const path = await upload(service, { name: 'a.png' })
    const id = await create()
    await comment(id, { body: 'One', attachments: [path] })
    await comment(id, { body: 'Two', is_internal: true })
    const moment = new Date().toISOString()
    await api('DELETE', `/api/e/requests/${id}`)
    expect((await api('GET', at(id))).status).toBe(404)
    expect((await open(path, service.admin.token)).status).toBe(404)
    expect((await api('POST', `/api/e/requests/${id}/restore`, { as_of: moment })).status).toBe(200)
    expect(await bodies(id)).toEqual(['Two', 'One'])
    expect((await open(path, service.admin.token)).status).toBe(200)
    expect((await comment(id, { body: 'Again' })).id).toBeGreaterThan(0)
  })

  it('removes comments for good after thirty days, more than one batch of them, and their files', async () => {
    const path = await upload(service, { name: 'b.png' })
    const id = await create()
    await comment(id, { body: 'With a file', attachments: [path] })
    for (let step = 0; step < 6; step += 1)
      await Promise.all(Array.from({ length: 5 }, (_, n) => comment(id, { body: `${step}.${n}` })))
    expect((await api('DELETE', `/api/e/requests/${id}`)).status).toBe(204)
    expect(await rowsOf(id)).toHaveLength(32)
    const { tenant, store } = service
    const [past, due] = ['2000-01-01T00:00:00.000Z', retentionKey(tenant, 'requests', id)]
    await store.write(tenant, {
      update: tombstoneKey(tenant, 'requests', id),
      change: { expression: 'SET deleted_at = :past', values: { ':past': past } },
    })
    await store.write(tenant, {
      update: due,
      change: { expression: 'SET s20 = :due', values: { ':due': `${past}#${tenant.id}#requests#${id}` } },
    })
    await service.cloud.invoke('due-sweeper')
    await service.cloud.idle()
    expect([await rowsOf(id), await claims(path), await store.get(tenant, due)]).toEqual([[], 0, undefined])
    // Nobody could open them for thirty days: they are due to go at once.
    const [file] = await itemsOf(service, `T#${tenant.id}#F#${path.split('/')[2]}`)
    expect(String(file?.s20) < new Date().toISOString()).toBe(true)
  })
})
