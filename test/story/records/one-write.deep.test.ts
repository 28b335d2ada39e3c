import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { upload } from '../../make/builders/records/uploads.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const codes = Array.from({ length: 10 }, (_, n) => `code${n}`)
const codesOf = (seed: string) => Object.fromEntries(codes.map((name) => [name, `${seed} ${name}`]))
const paths = (count: number) => Promise.all(Array.from({ length: count }, () => upload(service)))
const total = async (model: string): Promise<number> => (await api('GET', `/api/e/${model}`)).body.meta.total
const sent = async (): Promise<number> => (
  await service.cloud.idle(),
  (await api('GET', '/api/notifications?per_page=1')).body.meta.total
)

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'heaps', [
    { name: 'photos', type: 'file', multiple: true },
    ...codes.map((name) => ({ name, type: 'text', unique: true })),
  ])
})
afterEach(() => setHooks(service, 'heaps', []))
afterAll(() => service?.stop())

/** A hook that sends messages to the administrator; hooks of one write share its transaction. */
const sending = (count: number, text = "'hello'"): [string, string] => [
  'before_create',
  `const text = ${text}; for (let n = 0; n < ${count}; n++) $api.sendPushNotification('title', text + n, null, [${service.admin.userId}])`,
]
/** 200 KB that no compression makes small. */
const noise = 'Array.from({ length: 33000 }, () => ((Math.random() * 2147483648) | 0).toString(36)).join("")'

describe('what one write may do at once', () => {
  it('is 50 files, 10 unique values and 35 messages', async () => {
    await setHooks(service, 'heaps', [sending(35)])
    const [before, notified] = [await total('heaps'), await sent()]
    const { status } = await api('POST', '/api/e/heaps', { photos: await paths(50), ...codesOf('a') })
    expect(status).toBe(201)
    expect([await total('heaps'), await sent()]).toEqual([before + 1, notified + 35])
  })

  it('is refused as a whole when it is too much, and the answer says what there is too much of', async () => {
    await setHooks(service, 'heaps', [sending(35), sending(35)])
    const [before, notified] = [await total('heaps'), await sent()]
    const photos = await paths(50)
    const { status, body } = await api('POST', '/api/e/heaps', { photos, ...codesOf('b') })
    expect([status, body.code]).toEqual([422, 'record_too_large'])
    expect(body.message).toMatch(/70 messages, 50 files, 10 unique values/)
    expect([await total('heaps'), await sent()]).toEqual([before, notified])
    await setHooks(service, 'heaps', [])
    expect((await api('POST', '/api/e/heaps', { photos, ...codesOf('b') })).status).toBe(201)
  })

  it('may send long texts in many messages', async () => {
    await setHooks(service, 'heaps', [sending(20, noise), sending(20, noise), sending(20, noise)])
    const [before, notified] = [await total('heaps'), await sent()]
    const { status, body } = await api('POST', '/api/e/heaps', codesOf('c'))
    expect(status, JSON.stringify(body)).toBe(201)
    expect([await total('heaps'), await sent()]).toEqual([before + 1, notified + 60])
  })

  it('makes a row of an import fail, and not the others', async () => {
    await setHooks(service, 'heaps', [
      [
        'before_create',
        `if ($data.code0 === 'many') for (let n = 0; n < 50; n++) $api.sendPushNotification('a', 'b', null, [${service.admin.userId}])`,
      ],
    ])
    const photos = await paths(50)
    const { body } = await api('POST', '/api/e/heaps/import', { rows: [{ code0: 'many', photos }, { code0: 'few' }] })
    expect(body.data).toMatchObject({ created: 1, failed: 1, errors: [{ row: 0 }] })
  })

  it('imports rows whose messages together are too much for one transaction', async () => {
    await setHooks(service, 'heaps', [
      sending(40, "Array.from({ length: 1500 }, () => Math.random().toString(36).slice(2, 12)).join('')"),
    ])
    const notified = await sent()
    const { body } = await api('POST', '/api/e/heaps/import', { rows: Array.from({ length: 5 }, () => ({})) })
    expect(body.data).toMatchObject({ created: 5, failed: 0 })
    expect(await sent()).toBe(notified + 200)
  })
})
