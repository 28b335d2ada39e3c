import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allRoutes } from '../../../functions/api/api-docs/all-routes.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { upload } from '../../make/builders/records/uploads.ts'
import { isMatch, type PlainRecord } from '../../make/oracles/query-oracle.ts'
import { emptyWorld, rowRuleReaders, type View } from '../../make/oracles/row-rule-readers.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

/*
 * Under any row rules a user sees, counts and infers exactly what an independent oracle allows. Every route that names
 * a table is among the readers of `row-rule-readers.ts` or listed here; a new one fails the test until it is, with how
 * it applies the rules.
 */

type Filter = Record<string, unknown>
interface Rules {
  readonly requests: readonly Filter[]
  readonly clients: readonly Filter[]
}

let service: TestService
let user: Awaited<ReturnType<typeof userWith>>
let second: { readonly id: number; readonly name: string }
let relation: number
const as = (method: string, path: string, body?: unknown) => service.api(method, path, { token: user.token, body })
const asAdmin = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })

const world = emptyWorld()
const readers = rowRuleReaders({ world, as, relation: () => relation })
const [requestCount, clientCount] = [36, 6]
const words = ['printer', 'lamp', 'door', 'printing']
const notes = [undefined, 'a', 'ab', 'b', 'zebra']

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'clients', [
    { name: 'name', type: 'text', indexed: true },
    { name: 'tier', type: 'value_list', options: [{ slug: 'gold' }, { slug: 'lead' }] },
  ])
  await makeTable(service, 'requests', [
    { name: 'title', type: 'text' },
    { name: 'priority', type: 'integer' },
    { name: 'source', type: 'value_list', options: [{ slug: 'mail' }, { slug: 'phone' }] },
    { name: 'note', type: 'text' },
    { name: 'client_id', type: 'model_list', target_table: 'clients' },
    { name: 'photo', type: 'file' },
  ])
  user = await userWith(service, ['requests.*', 'clients.*'])
  const role = await asAdmin('POST', '/api/sys/roles', { name: 'second', permissions: [] })
  second = role.body.data
  await asAdmin('PUT', `/api/sys/users/${user.id}`, { roles: [user.role, second.name] })
  relation = (await asAdmin('POST', '/api/sys/relations', { name: 'uses', l_table: 'requests', r_table: 'clients' }))
    .body.data.id
  const clients = Array.from({ length: clientCount }, (_, n) => ({
    name: ['Ann', 'Bob', 'Zoë', 'Bond'][n % 4],
    ...(n !== 5 && { tier: n % 2 ? 'gold' : 'lead' }),
  }))
  await asAdmin('POST', '/api/e/clients/import', { rows: clients })
  const photos = [await upload(service), await upload(service)]
  for (let n = 0; n < requestCount; n += 1) {
    const body = {
      title: `${words[n % 4]} ${n}`,
      priority: n % 7 === 0 ? null : 1 + (n % 5),
      source: [undefined, 'mail', 'phone'][n % 3],
      note: notes[n % 5],
      client_id: n % 8 === 7 ? undefined : 1 + ((n * 5) % clientCount),
      photo: photos[n - 9],
    }
    await (n % 3 === 0 ? as : asAdmin)('POST', '/api/e/requests', body)
  }
  for (const { id } of await all('requests')) {
    world.links.set(id, [1, 2, 3, 4].filter((client) => (id + client) % 3 > 0).reverse())
    await asAdmin('POST', `/api/sys/add_related_instances/${relation}/l_table/${id}`, { ids: world.links.get(id) })
  }
  for (const one of await all('requests')) world.past.set(one.id, one)
  world.earlier = new Date().toISOString()
  await new Promise((resolve) => setTimeout(resolve, 5))
  for (const id of [3, 6, 9, 12])
    await asAdmin('PATCH', `/api/e/requests/${id}`, { priority: 5, source: 'mail', client_id: 2 })
  const gone = [5, 12, 20, 33]
  world.deleted = (await all('requests')).filter(({ id }) => gone.includes(id))
  for (const id of gone) await asAdmin('DELETE', `/api/e/requests/${id}`)
  await service.cloud.idle()
  world.requests = await all('requests')
  for (const client of await all('clients')) world.clients.set(client.id, client)
  for (const { id, data } of world.requests)
    if (typeof data.photo === 'string') world.files.push({ path: data.photo, request: id })
  if (
    world.requests.length !== requestCount - gone.length ||
    world.clients.size !== clientCount ||
    world.files.length !== 2
  )
    throw new Error('the fixture of the test is incomplete')
})
afterAll(() => service?.stop())

const all = async (model: string): Promise<PlainRecord[]> =>
  (await asAdmin('GET', `/api/e/${model}?per_page=1000`)).body.data

/** Routes that name a table, but answer no record that the caller did not send. */
const others: Record<string, string> = {
  'POST /api/e/{model}': 'creates',
  'PUT /api/e/{model}/{id}': 'answers one’s own write; its refusals are tested in row-rules.test.ts',
  'PATCH /api/e/{model}/{id}': 'the same',
  'DELETE /api/e/{model}/{id}': 'the same',
  'POST /api/e/{model}/{id}/restore': 'the same',
  'POST /api/e/{model}/import': 'creates',
  'POST /api/e/{model}/{id}/macros/{macro_id}': 'answers one’s own write; its refusals are tested in macros.test.ts',
  'POST /api/e/{model}/{id}/merge': 'answers counts and ids; its refusals are tested in merge.test.ts',
  'POST /api/e/{model}/{id}/unmerge': 'the same',
  'POST /api/e/{model}/{id}/split': 'answers one’s own create; its refusals are tested in merge.test.ts',
  'POST /api/e/{model}/import-file': 'creates and changes; its refusals are tested in import-by-key.test.ts',
  'GET /api/e/{model}/import-file/preview': 'answers one’s own file; tested in import-file.test.ts',
  'PUT /api/e/{model}/{id}/snooze': 'answers one’s own snooze; its refusals are tested in snooze.test.ts',
  'DELETE /api/e/{model}/{id}/snooze': 'the same',
  'GET /api/e/{model}/{id}/presence': 'answers people; its refusals are tested in conversation.test.ts',
  'PUT /api/e/{model}/{id}/presence': 'the same',
  'DELETE /api/e/{model}/{id}/presence': 'the same',
  'GET /api/e/{model}/{id}/reply-options': 'answers addresses; its refusals are tested in conversation.test.ts',
  'GET /api/e/{model}/{id}/reply-templates/{template_id}': 'the same',
  'POST /api/e/{model}/{id}/forward': 'answers one’s own comment; its refusals are tested in forward.test.ts',
  'GET /api/e/{model}/{id}/snippets/{snippet_id}':
    'fills in one’s own record; its refusals are tested in snippets.test.ts',
  'GET /api/e/{model}/{id}/mentionable': 'answers people; its refusals are tested in conversation.test.ts',
  'POST /api/e/{model}/{id}/deliveries/{delivery_id}/retry':
    'sends again; its refusals are tested in conversation.test.ts',
  'GET /api/e/{model}/revision': 'tells that something changed, not what',
  'POST /api/e/{model}/bulk': 'answers counts; its refusals are tested in bulk-changes.test.ts',
  'POST /api/e/{model}/{id}/comments': 'answers one’s own comment; its refusals are tested in comments.test.ts',
  'PUT /api/e/{model}/{id}/comments/{comment_id}': 'the same',
  'DELETE /api/e/{model}/{id}/comments/{comment_id}': 'the same',
  'POST /api/e/{model}/{id}/watchers': 'watches; its refusals are tested in watchers.test.ts',
  'DELETE /api/e/{model}/{id}/watchers': 'the same',
  'GET /api/sys/entities/name/{model}': 'shows the table',
  'POST /api/sys/add_related_instances/{relation_id}/{table_position}/{instance_id}':
    'links; tested in row-rules.test.ts',
  'POST /api/sys/relations/unlink/{relation_id}/{table_position}/{right_id}': 'the same',
}

it('every route that names a table is listed in this test', () => {
  const naming = allRoutes.filter(
    ({ path, permission }) => /\{(model|table_name|relation_id)\}/.test(path) && permission?.kind !== 'administrator',
  )
  expect(naming.map(({ key }) => key).sort()).toEqual([...Object.keys(readers), ...Object.keys(others)].sort())
})

const test = fc.oneof(
  fc.record({
    priority: fc.oneof(
      fc.record({ _gte: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ _lt: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ _null: fc.boolean() }),
      fc.integer({ min: 1, max: 5 }),
    ),
  }),
  fc.record({ source: fc.constantFrom('mail', 'phone', null, ['mail', 'phone'], { _neq: 'mail' }) }),
  fc.record({ note: fc.constantFrom({ _starts_with: 'a' }, { _nempty: true }, { _gt: 'ab' }) }),
  fc.record({ created_by: fc.constantFrom('$CURRENT_USER', { _neq: '$CURRENT_USER' }) }),
  fc.record({
    id: fc.oneof(
      fc.record({ _gt: fc.integer({ min: 1, max: 36 }) }),
      fc.uniqueArray(fc.integer({ min: 1, max: 36 }), { maxLength: 6 }),
    ),
  }),
  fc.record({ client_id: fc.oneof(fc.integer({ min: 1, max: clientCount }), fc.constant(null)) }),
  fc.record({ 'client_id.tier': fc.constantFrom('gold', 'lead', null, { _neq: 'gold' }) }),
  fc.record({ 'client_id.name': fc.constantFrom('Bond', { _starts_with: 'B' }, { _nin: ['Ann'] }) }),
)
const filters: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 5, arbitrary: test as fc.Arbitrary<Filter> },
  { weight: 1, arbitrary: fc.record({ _and: fc.array(test, { maxLength: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ _or: fc.array(test, { maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ _not: test }) },
)
const clientFilters: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ tier: fc.constantFrom('gold', 'lead', null, { _neq: 'gold' }) }),
  fc.record({ name: fc.constantFrom('Bond', { _starts_with: 'B' }) }),
  fc.record({ id: fc.record({ _lt: fc.integer({ min: 1, max: 6 }) }) }),
)
const rules: fc.Arbitrary<Rules> = fc.record({
  requests: fc.array(filters, { minLength: 1, maxLength: 2 }),
  clients: fc.array(clientFilters, { maxLength: 1 }),
})
const sorts = fc.constantFrom([], ['priority'], ['-client_id.name', 'id'], ['source', '-priority'], ['-updated_at'])

/** Replaces `$CURRENT_USER`. */
const resolved = (filter: Filter): Filter =>
  JSON.parse(JSON.stringify(filter).replaceAll('"$CURRENT_USER"', String(user.id)))
const written = ({ requests, clients }: Rules) => [
  ...requests.map((filter) => ({ table: 'requests', action: 'read', filter })),
  ...clients.map((filter) => ({ table: 'clients', action: 'read', filter })),
]

function viewOf(grants: readonly { readonly permissions: readonly string[]; readonly rules: Rules }[]): View {
  const everyClient = { clients: world.clients }
  const maySee = (table: keyof Rules) => {
    const granting = grants.filter(({ permissions }) =>
      permissions.some((one) => [`${table}.*`, `${table}.read`, '*.read', '*'].includes(one)),
    )
    return (record: PlainRecord): boolean =>
      granting.some(
        ({ rules: of }) =>
          of[table].length === 0 || of[table].some((filter) => isMatch(record, resolved(filter), everyClient)),
      )
  }
  const [maySeeRequest, maySeeClient] = [maySee('requests'), maySee('clients')]
  return {
    requests: world.requests.filter(maySeeRequest),
    around: { clients: new Map([...world.clients].filter(([, client]) => maySeeClient(client))) },
    maySee: maySeeRequest,
  }
}

it(
  'no route lets a user see, count or infer a record that row rules hide, whatever the rules are',
  { timeout: 240_000 },
  async () => {
    const grant = fc.record({ permissions: fc.constantFrom(['requests.read'], ['requests.create'], ['*.read']), rules })
    const seen: number[] = []
    const property = fc.asyncProperty(
      rules,
      fc.option(grant, { nil: { permissions: [], rules: { requests: [], clients: [] } } }),
      filters,
      sorts,
      async (first, other, filter, sort) => {
        const grants = [{ permissions: ['requests.*', 'clients.*'], rules: first }, other]
        const saved = await Promise.all([
          asAdmin('PUT', `/api/sys/roles/${user.roleId}`, {
            permissions: grants[0]?.permissions,
            rules: written(first),
          }),
          asAdmin('PUT', `/api/sys/roles/${second.id}`, {
            permissions: other.permissions,
            rules: written(other.rules),
          }),
        ])
        expect(saved.map(({ status }) => status)).toEqual([200, 200])
        const view = viewOf(grants)
        seen.push(view.requests.length)
        await Promise.all(Object.values(readers).map((read) => read(view, { filter: resolved(filter), sort })))
        for (const { path, request } of world.files) {
          const { status } = await as('GET', `/api/files?path=${encodeURIComponent(path)}`)
          expect(status).toBe(view.requests.some(({ id }) => id === request) ? 200 : 404)
        }
      },
    )
    await fc.assert(property, { numRuns: 16, seed: 20261120 })
    // The property proves little when the rules hide everything or nothing.
    expect(new Set(seen).size).toBeGreaterThan(8)
  },
)
