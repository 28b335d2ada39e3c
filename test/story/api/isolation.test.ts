import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allRoutes } from '../../../functions/api/api-docs/all-routes.ts'
import { apiDocument } from '../../../functions/api/api-docs/api-document.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { threadKeys } from '../../../shared/messages/deliveries/threads/thread-key.ts'
import { followToken } from '../../../shared/platform/mail/follow-token.ts'
import { repairCount } from '../../../shared/records/records/count/repair-count.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { makeRequests } from '../../make/builders/records/tables.ts'
import { makeTenantData, makeVictim, secret, tenantWord, type Victim } from '../../make/builders/victim.ts'
import { hostileRequest, unclassifiedNames } from '../../make/loads/hostile-request.ts'
import { type RouteMembers, routeMembers } from '../../make/loads/route-members.ts'
import { type ApiAnswer, startService, type TestService } from '../../make/services/service.ts'
import { scannerOf } from '../../make/services/stores/items-of.ts'
import type { StoredItem } from '../../make/services/stores/single-table.ts'

let service: TestService
let victim: Victim
let powerless: string
let foreign: string
let own: Readonly<Record<string, unknown>>
let itemsOf: (partitionPrefix: string) => Promise<StoredItem[]>
const members = routeMembers(apiDocument({ version: '1.0.0', serverUrl: '' }))
const membersOf = (key: string) => members.get(key) as RouteMembers
const protectedRoutes = allRoutes.filter((route) => !route.open).map((route) => ({ key: route.key, route }))
const named = (pattern: RegExp) =>
  protectedRoutes.filter(({ key }) => membersOf(key).path.some((name) => pattern.test(name)))

/** Routes that need no token: they answer no data of a tenant except what the request itself identifies. */
const openKeys = [
  'POST /api/login-local',
  'GET /api/session',
  'POST /api/session',
  'DELETE /api/session',
  'POST /api/login-sso',
  'GET /api/auth/{provider}/redirect',
  'GET /api/auth/{provider}/callback',
  'POST /api/auth/exchange',
  'POST /api/register',
  'GET /api/join/{token}',
  'POST /api/join/{token}',
  'POST /api/password/forgot',
  'POST /api/password/reset',
  'POST /api/email/verify',
  'POST /api/login-mfa',
  'GET /api/files/sent/{token}',
  'GET /api/sys/mailboxes/callback',
  'GET /api/follow/{token}',
  'GET /api/decide/{token}',
  'POST /api/decide/{token}',
  'GET /api/unsubscribe/{token}',
  'POST /api/unsubscribe/{token}',
  'DELETE /api/unsubscribe/{token}',
  'POST /api/in/{token}',
  'POST /api/messenger/webhook',
  'GET /api/health',
  'GET /api/openapi.json',
  'GET /api/docs',
  'GET /api/docs/{file}',
  'GET /api/docs/guide/{name}',
]
/** Routes with which every user writes own data. */
const selfService = [
  'POST /api/user/messenger-link',
  'POST /api/logout',
  'PUT /api/user',
  'PUT /api/user/preferences',
  'POST /api/user/switch',
  'DELETE /api/user/sessions',
  'POST /api/email/verify/resend',
  'POST /api/files',
]

beforeAll(async () => {
  service = await startService({ environment: { SETTLE_MS: '100' } })
  itemsOf = scannerOf(service)
  victim = await makeVictim(service)
  await service.api('PUT', '/api/sys/settings', { token: service.admin.token, body: { FOLLOW_TABLES: 'requests' } })
  powerless = (await userWith(service, [])).token
  foreign = (await otherTenant(service)).token
  const made = await makeTenantData(service, foreign, 'other')
  own = {
    id: made.record,
    relation_id: made.relation,
    instance_id: made.record,
    right_id: made.record,
    sys_table_id: 101,
  }
  await service.cloud.idle()
  // The marks of the creates above go now, and not with a sweep during a test.
  for (const { pk, sk } of await itemsOf('T#1#SEQ#'))
    if (pk.endsWith(`#${sk}`)) await repairCount({ store: service.store, clock, settleMs: 0 }, { id: 1 }, sk)
})
afterAll(() => service?.stop())

/** All items of the victim's tenant, as text. They are read again when anything was written to the table since. */
async function everything(): Promise<string> {
  if (lastSeen !== undefined && !hasWritten()) return lastSeen
  service.cloud.recordCalls()
  return (lastSeen = JSON.stringify(
    (await itemsOf('T')).filter(({ pk }) => pk.startsWith('T#1#') || pk === 'TENANT#1'),
  ))
}
let lastSeen: string | undefined
const readOperations = ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems']
const hasWritten = (): boolean =>
  service.cloud.callsOf().calls.some((call) => call.service === 'dynamodb' && !readOperations.includes(call.operation))

const reveals = (answer: ApiAnswer, word: string): boolean =>
  JSON.stringify([answer.body ?? '', [...answer.headers]])
    .toLowerCase()
    .includes(word)

/** The answer without the texts that its request sent: a message names the word that means nothing to this tenant. */
function beyondSent({ body, ...answer }: ApiAnswer, sent: unknown): ApiAnswer {
  const texts: string[] = []
  JSON.stringify(sent ?? null, (_, value: unknown) => {
    if (typeof value === 'string' && value.length > 3) texts.push(value)
    return value
  })
  const text = texts.reduce(
    (rest, one) => rest.replaceAll(JSON.stringify(one).slice(1, -1), '*'),
    JSON.stringify(body ?? null),
  )
  return { ...answer, body: JSON.parse(text) }
}

describe('every route', () => {
  it.each(protectedRoutes)('$key has hostile values for all of its parameters and members', ({ key }) => {
    expect(unclassifiedNames(key, membersOf(key), victim)).toEqual([])
  })

  it('is protected unless this test lists it as open', () => {
    expect(
      allRoutes
        .filter((route) => route.open)
        .map(({ key }) => key)
        .sort(),
    ).toEqual(openKeys.toSorted())
  })
})

describe('a request that names data of the victim wherever its route allows', () => {
  it.each(protectedRoutes)('answers 401 without a token, and writes nothing: $key', async ({ key, route }) => {
    const before = await everything()
    const { path, body } = hostileRequest(route, membersOf(key), victim)
    const answer = await service.api(route.method, path, { body })
    expect([answer.status, answer.body]).toEqual([
      401,
      {
        success: false,
        code: 'unauthenticated',
        message: expect.stringMatching(/^The token is missing\. Send the header/),
      },
    ])
    expect(await everything()).toBe(before)
  })

  it.each(protectedRoutes)(
    'reveals nothing to a user without permissions, and writes nothing: $key',
    async ({ key, route }) => {
      const before = await everything()
      const { path, body } = hostileRequest(route, membersOf(key), victim)
      const token = key === 'POST /api/logout' ? (await userWith(service, [])).token : powerless
      const answer = await service.api(route.method, path, { token, body })
      // The tables of the latter are those of the relation: the route itself checks the permission.
      const isForbidden = route.permission?.kind !== 'signed-in' || key.includes('{table_position}')
      const asksInside = route.alsoFails?.includes(403) === true
      expect([asksInside || (answer.status === 403) === isForbidden, answer.status < 500]).toEqual([true, true])
      expect(reveals(answer, secret)).toBe(false)
      expect((await everything()) === before || selfService.includes(key)).toBe(true)
    },
  )

  it.each(protectedRoutes)(
    'reveals nothing to the administrator of another tenant, and writes nothing: $key',
    async ({ key, route }) => {
      const before = await everything()
      const { path, body } = hostileRequest(route, membersOf(key), victim)
      const token = key === 'POST /api/logout' ? (await otherTenant(service)).token : foreign
      const answer = await service.api(route.method, path, { token, body })
      const namesOne = named(/id$/).some((one) => one.key === key)
      // Contract §4: nobody acts as a user of another tenant, 403; so an unknown id answers the same.
      const unknown = key === 'POST /api/impersonate/{user_id}' ? 403 : 404
      expect([namesOne ? answer.status : unknown, answer.status < 500]).toEqual([unknown, true])
      const told = beyondSent(answer, body)
      expect([reveals(told, secret), reveals(told, tenantWord)]).toEqual([false, false])
      await service.cloud.idle()
      expect(await everything()).toBe(before)
    },
  )

  it.each(named(/id$/).filter(({ route }) => route.method !== 'DELETE'))(
    'reaches no data of the victim through query and body, sent for an own record: $key',
    async ({ key, route }) => {
      const before = await everything()
      const { path, body } = hostileRequest(route, membersOf(key), victim, own)
      const answer = await service.api(route.method, path, { token: foreign, body })
      expect(answer.status).toBeLessThan(500)
      expect([reveals(answer, secret), reveals(answer, tenantWord)]).toEqual([false, false])
      await service.cloud.idle()
      expect(await everything()).toBe(before)
    },
  )
})

describe('a merged record of the victim', () => {
  it.each(named(/^id$/).filter(({ key }) => /\/(e|history|related_instances)\/\{/.test(key)))(
    'reveals nothing to the administrator of another tenant, and is not written: $key',
    async ({ key, route }) => {
      const before = await everything()
      const { path, body } = hostileRequest(route, membersOf(key), { ...victim, record: victim.merged })
      const answer = await service.api(route.method, path, { token: foreign, body })
      expect([answer.status, reveals(answer, secret)]).toEqual([404, false])
      expect(await everything()).toBe(before)
    },
  )

  it('is shown by the token of its link, whoever has it, and by no other', async () => {
    const before = await everything()
    const { merged, record, followToken: token } = victim
    const follow = (text: string, as?: string) => service.api('GET', `/api/follow/${text}`, as ? { token: as } : {})
    for (const as of [undefined, powerless, foreign])
      expect((await follow(token, as)).body.data).toMatchObject({ number: merged, title: `${secret} merged` })
    const mac = token.split('.').at(-1) as string
    const otherKey = await threadKeys({ store: service.store, clock })({ id: 2 })
    const others = [
      token.replace(/^1\./, '2.'),
      token.replace(`.${merged}.`, `.${record}.`),
      token.replace('.requests.', '.vault.'),
      token.replace(mac, `${mac.startsWith('a') ? 'b' : 'a'}${mac.slice(1)}`),
      followToken(otherKey, 1, { model: 'requests', id: merged }),
    ]
    for (const other of others)
      for (const as of [undefined, foreign]) {
        const answer = await follow(other, as)
        expect([other, answer.status, reveals(answer, secret)]).toEqual([other, 404, false])
      }
    expect(await everything()).toBe(before)
  })
})

describe('the session of a browser', () => {
  const cookieOf = ({ headers }: ApiAnswer): string => headers.get('set-cookie')?.split(';')[0] ?? ''
  const app = { 'x-requested-by': 'app' }
  const begin = (token: string, cookie = ''): Promise<ApiAnswer> =>
    service.api('POST', '/api/session', { body: { token }, headers: { ...app, cookie } })
  const signedIn = async (token = service.admin.token): Promise<string> => cookieOf(await begin(token))
  const whoIs = async (cookie: string): Promise<unknown> =>
    (await service.api('GET', '/api/user', { headers: { ...app, cookie } })).body.data?.tenant.slug
  let cookie: string
  beforeAll(async () => {
    cookie = await signedIn()
  })

  it.each(protectedRoutes)(
    'is of no use to a page of somebody else, and writes nothing: $key',
    async ({ key, route }) => {
      const before = await everything()
      const { path, body } = hostileRequest(route, membersOf(key), victim)
      for (const headers of [{ cookie }, { ...app, cookie, origin: 'https://evil.example' }]) {
        const answer = await service.api(route.method, path, { body, headers })
        expect([answer.status, reveals(answer, secret)]).toEqual([401, false])
      }
      expect(await everything()).toBe(before)
    },
  )

  it('goes on after all of these', async () => {
    expect(await whoIs(cookie)).toBe(service.tenant.slug)
  })

  it('of one company is neither kept nor ended by one of another', async () => {
    const { token } = await otherTenant(service)
    const person = await userWith(service, [])
    const acting = await service.api('POST', `/api/impersonate/${person.id}`, { token: service.admin.token })
    const theirs = await signedIn(token)
    const session = await begin(acting.body.token, theirs)
    expect([session.status, cookieOf(session).includes('~')]).toEqual([200, false])
    const ours = await signedIn()
    const foreignSession = await signedIn((await otherTenant(service)).token)
    await service.api('DELETE', '/api/session', { headers: { ...app, cookie: foreignSession } })
    expect([await whoIs(ours), await whoIs(foreignSession)]).toEqual([service.tenant.slug, undefined])
  })
})

describe('another tenant', () => {
  let token: string
  beforeAll(async () => {
    token = (await otherTenant(service)).token
    await makeRequests(service, token)
  })

  it('with tables of the same names sees and counts its own records only', async () => {
    const mine = await service.api('GET', '/api/e/requests', { token })
    expect([mine.body.data, mine.body.meta.total]).toEqual([[], 0])
    const made = await service.api('POST', '/api/e/requests', { token, body: { title: 'Mine', code: 'S-1' } })
    expect(made.status).toBe(201)
    expect(made.body.data.tenant_id).toBeGreaterThan(1)
    expect(
      (await service.api('GET', `/api/sys/history/requests/${made.body.data.id}`, { token })).body.data,
    ).toHaveLength(1)
    const theirs = await service.api('GET', '/api/e/requests', { token: service.admin.token })
    expect(theirs.body.data.map(({ data }: { data: { title: string } }) => data.title)).not.toContain('Mine')
  })

  it('cannot refer to records and users of the first one', async () => {
    const client = await service.api('POST', '/api/e/clients', { token: service.admin.token, body: { name: 'Theirs' } })
    const users = (await service.api('GET', '/api/sys/users', { token: service.admin.token })).body.data.map(
      ({ id }: { id: number }) => id,
    )
    const { body } = await service.api('POST', '/api/e/requests', {
      token,
      body: { title: 'x', client_id: client.body.data.id },
    })
    expect(body.errors).toEqual({ client_id: ['The selected client_id is invalid.'] })
    const unit = await service.api('POST', '/api/e/sys_org_units', {
      token,
      body: { name: 'u', manager_id: Math.max(...users) },
    })
    expect(unit.body.errors).toEqual({ manager_id: ['The selected manager_id is invalid.'] })
  })
})
