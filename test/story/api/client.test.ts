import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { markLine } from '../../../infra/client-types/generic-document.ts'
import { onlyBelow } from '../../../infra/client-types/only-below.ts'
import { onlySuccesses } from '../../../infra/client-types/only-successes.ts'
import { demoTables } from '../../../infra/local/demo/demo.ts'
import { ApiError, createClient, everyRow, idempotencyKey, ifMatch, type Client } from '../../../shared/client/index.ts'
import type { OpenApiDocument } from '../../../shared/platform/http/openapi/document-types.ts'
import type { components, paths } from '../../make/demo-api.d.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

type RequestFilter = components['schemas']['RequestsFilter']

let service: TestService
let api: Client<paths>
let client: number

/** What a call is refused with. */
const refused = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => {
      throw new Error('the call was not refused')
    },
    (error: ApiError) => error,
  )

beforeAll(async () => {
  service = await sharedService()
  await demoTables(async (method, path, body) => {
    const answer = await service.api(method, path, { token: service.admin.token, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  })
  api = createClient<paths>({ baseUrl: service.url, token: service.admin.token })
  client = (await api.post('/api/e/clients', { body: { name: 'Ada' } })).data.id
  await api.post('/api/e/requests/import', {
    body: { rows: [1, 2, 3, 4, 5].map((priority) => ({ title: `Lamp ${priority}`, priority, client_id: client })) },
  })
})
afterAll(() => service?.stop())

describe('the typed client', () => {
  it('creates, changes and deletes a record, whose fields have their types', async () => {
    const { data: made } = await api.post('/api/e/requests', { body: { title: 'Lamp', priority: 3 } })
    expect(made.data).toMatchObject({ title: 'Lamp', status: 'new' })
    const path = { id: made.id }
    const { data: changed } = await api.patch('/api/e/requests/{id}', {
      params: { path, header: ifMatch(made) },
      body: { status: 'in_progress' },
    })
    expect(changed).toMatchObject({ version: 2, data: { status: 'in_progress' } })
    expect(await api.delete('/api/e/requests/{id}', { params: { path } })).toBeUndefined()
    expect(await refused(api.get('/api/e/requests/{id}', { params: { path } }))).toMatchObject({
      status: 404,
      code: 'record_not_found',
    })
  })

  it('throws what the service refuses, with the code, the fields and the request', async () => {
    const error = await refused(api.post('/api/e/requests', { body: { title: '', priority: 9 } }))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: {
        title: ['The title field is required.'],
        priority: ['The priority may not be greater than 5.'],
      },
      requestId: expect.stringMatching(/./),
    })
  })

  it('refuses a write on a version that is gone, and says which one is current', async () => {
    const { data: made } = await api.post('/api/e/requests', { body: { title: 'Lamp' } })
    const change = (title: string) =>
      api.patch('/api/e/requests/{id}', {
        params: { path: { id: made.id }, header: ifMatch(made) },
        body: { title },
      })
    await change('Big lamp')
    expect(await refused(change('Small lamp'))).toMatchObject({ status: 412, data: { version: 2 } })
    await api.delete('/api/e/requests/{id}', { params: { path: { id: made.id } } })
  })

  it('repeats a request with its idempotency key without storing anything twice', async () => {
    const header = idempotencyKey()
    const create = () => api.post('/api/e/requests', { params: { header }, body: { title: 'Only one' } })
    const [first, second] = [await create(), await create()]
    expect(second.data.id).toBe(first.data.id)
    await api.delete('/api/e/requests/{id}', { params: { path: { id: first.data.id } } })
  })

  it('walks a list to its end by cursor, filtered, sorted and expanded', async () => {
    const filter: RequestFilter = { priority: { _gte: 2 }, client_id: { name: 'Ada' } }
    const seen: (string | null | undefined)[] = []
    for await (const row of everyRow((cursor) =>
      api.get('/api/e/requests', {
        params: {
          query: { cursor, per_page: 2, sort: ['-priority'], expand: ['client_id'], filter: JSON.stringify(filter) },
        },
      }),
    ))
      seen.push(`${row.data.title} for ${row.expanded?.client_id?.data.name}`)
    expect(seen).toEqual(['Lamp 5 for Ada', 'Lamp 4 for Ada', 'Lamp 3 for Ada', 'Lamp 2 for Ada'])
  })

  it('tells rows of a list from groups', async () => {
    const { data } = await api.post('/api/e/requests/list-server', {
      body: { filter: { title: { _starts_with: 'Lamp ' } }, group_by: ['status'], aggregate: { avg: ['priority'] } },
    })
    const groups = data.flatMap((row) => ('group' in row ? [[row.group.status, row.avg?.priority]] : []))
    expect(groups).toEqual([['new', 3]])
  })

  it('asks for the token before each request when it is a function', async () => {
    const tokens = ['1|wrong', service.admin.token]
    const asking = createClient({ baseUrl: `${service.url}/`, token: async () => tokens.shift() ?? '' })
    expect(await refused(asking.get('/api/user'))).toMatchObject({ status: 401, code: 'unauthenticated' })
    expect((await asking.get('/api/user')).data).toMatchObject({ email: service.admin.email })
  })

  it('says when an answer does not come from the service', async () => {
    const behindProxy = createClient({
      baseUrl: service.url,
      fetch: async () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'retry-after': '7' } }),
    })
    expect(await refused(behindProxy.get('/api/health'))).toMatchObject({
      status: 502,
      code: 'unreadable_answer',
      message: 'The service answered 502.',
      retryAfterSeconds: 7,
    })
  })

  it('has types that are those of the demo now: if this fails, write test/make/demo-api.d.ts as docs/client.md says', async () => {
    const { body } = await service.api('GET', '/api/openapi.json', { token: service.admin.token })
    const [mark] = (await readFile(join(import.meta.dirname, '../../make/demo-api.d.ts'), 'utf8')).split('\n', 1)
    expect(mark).toBe(markLine(onlySuccesses(onlyBelow(body as OpenApiDocument, '/api/e/'))))
  })
})

/** Never called: the compiler checks that mistakes do not pass. */
export async function mistakes(): Promise<void> {
  // @ts-expect-error an unknown table
  await api.get('/api/e/reqests')
  // @ts-expect-error a required field is missing
  await api.post('/api/e/requests', { body: { priority: 3 } })
  // @ts-expect-error a field that the table does not have
  await api.post('/api/e/requests', { body: { title: 'Lamp', prio: 3 } })
  // @ts-expect-error a state that the table does not have
  await api.patch('/api/e/requests/{id}', { params: { path: { id: 1 } }, body: { status: 'done' } })
  // @ts-expect-error a sort key that the table does not have
  await api.get('/api/e/requests', { params: { query: { sort: ['-prio'] } } })
  // @ts-expect-error a field that cannot be summed
  await api.post('/api/e/requests/list-server', { body: { aggregate: { sum: ['title'] } } })
  const wrong: RequestFilter = {
    // @ts-expect-error a test that numbers do not have
    priority: { _contains: '3' },
  }
  await api.post('/api/e/requests/list-server', { body: { filter: wrong } })
}
