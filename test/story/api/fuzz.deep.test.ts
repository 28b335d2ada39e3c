import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allRoutes } from '../../../functions/api/api-docs/all-routes.ts'
import { logIn } from '../../../shared/accounts/sign-in/login.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import type { OpenApiDocument } from '../../../shared/platform/http/openapi/document-types.ts'
import type { Route } from '../../../shared/platform/http/routing/define-route.ts'
import { createConfig } from '../../../shared/platform/store/config.ts'
import { makeRequests } from '../../make/builders/records/tables.ts'
import { runs } from '../../make/depth.ts'
import { hostileBody, hostileText, mutated, withInheritedNames } from '../../make/loads/hostile-values.ts'
import { answerRules } from '../../make/oracles/answer-rules.ts'
import { sharedService, type ApiAnswer, type TestService } from '../../make/services/service.ts'

const seed = Number(process.env.FUZZ_SEED ?? 20_261_120)
const runsPerRoute = Number(process.env.FUZZ_RUNS ?? runs(12, 4))
const answeredWithinMs = 5_000

let service: TestService
let rules: ReturnType<typeof answerRules>
let token: string

beforeAll(async () => {
  service = await sharedService()
  token = service.admin.token
  await makeRequests(service)
  for (const title of ['Printer', 'Scanner', 'Mouse'])
    await service.api('POST', '/api/e/requests', { token, body: { title, code: title, priority: 3, source: 'mail' } })
  await service.api('POST', '/api/e/clients', { token, body: { name: 'Ann' } })
  await service.api('POST', '/api/e/requests/1/comments', { token, body: { body: 'It is broken.' } })
  await service.api('POST', '/api/sys/relations', {
    token,
    body: { name: 'watchers', l_table: 'requests', r_table: 'clients' },
  })
  rules = answerRules((await service.api('GET', '/api/openapi.json')).body as OpenApiDocument)
})
afterAll(() => service?.stop())

/** A fuzzed request may have logged the administrator out. */
async function signIn(): Promise<void> {
  const { store, admin } = service
  const login = await logIn(
    { store, config: createConfig(store, clock), clock },
    { email: admin.email, password: admin.password, sourceIp: '127.0.0.2' },
  )
  if ('token' in login) token = login.token
}

interface Fuzzed {
  readonly params: Readonly<Record<string, string>>
  readonly query: readonly (readonly [string, string])[]
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

const sound: Readonly<Record<string, string>> = {
  model: 'requests',
  id: '1',
  relation_id: '1',
  table_name: 'requests',
  instance_id: '1',
  table_position: 'l_table',
  right_id: '1',
  sys_table_id: '101',
  token: 'none',
}
/** Texts that a URL parser would not keep as one path segment are left out. */
const inPath = fc
  .oneof(hostileText, fc.constantFrom('999999999999', '01', '1e0', '0x1', '١', '1 ', 'sys_companies', 'Requests'))
  .filter((text) => text.isWellFormed() && !/^\.{0,2}$/.test(text) && text.length < 400)
const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 140,
})

function requestsOf(route: Route): fc.Arbitrary<Fuzzed> {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const params = fc.record(
    Object.fromEntries(
      names.map((name) => [
        name,
        fc.oneof({ weight: 4, arbitrary: fc.constant(sound[name] ?? '1') }, { weight: 1, arbitrary: inPath }),
      ]),
    ),
  )
  const declared = Object.keys((route.query?.def as { shape?: object } | undefined)?.shape ?? {})
  const queryName = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...(declared.length > 0 ? declared : ['page'])) },
    { weight: 1, arbitrary: hostileText.filter((text) => text.length < 50) },
  )
  const example = Object.values(route.example?.query ?? {}).map(String)
  const queryValue = fc.oneof(
    hostileText.filter((text) => text.length < 700),
    fc.constantFrom(
      '1',
      '25',
      '1000',
      '-id',
      'csv',
      'ndjson',
      '2026-11-20',
      '2026-11-20T07:17:00Z',
      'eyJ2IjoxfQ',
      '{"priority":{"_gte":2}}',
      '{"_and":[]}',
      '{"priority":{"_between":[1]}}',
      '{"title":{"_contains":null}}',
      ...example,
    ),
  )
  // An address without parameters refuses any, before it looks at the body.
  const asked = fc.array(fc.tuple(queryName, queryValue), { maxLength: 4 })
  const body = route.body
    ? fc.oneof(
        {
          weight: 5,
          arbitrary: mutated(route.example?.body ?? {}).map((value) => JSON.stringify(value) as string | undefined),
        },
        { weight: 1, arbitrary: hostileBody as fc.Arbitrary<string | undefined> },
        { weight: 1, arbitrary: fc.constant(undefined) },
      )
    : fc.constant(undefined)
  const headers = fc.record(
    {
      'if-match': fc.oneof(visible, fc.constantFrom('*', '"1"', 'W/"1"', '"1", "2"', '1', '"9e9"')),
      'idempotency-key': visible,
      'content-type': fc.constantFrom(
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'application/json; charset=utf-16',
        'nonsense',
      ),
    },
    { requiredKeys: [] },
  )
  const plain = fc.constant<Record<string, string>>({})
  return fc.record({
    params: params as fc.Arbitrary<Record<string, string>>,
    query:
      declared.length > 0
        ? asked
        : fc.oneof({ weight: 7, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: asked }),
    body,
    headers: fc.oneof(
      { weight: 3, arbitrary: plain },
      { weight: 1, arbitrary: headers as fc.Arbitrary<Record<string, string>> },
    ),
  })
}

async function send(route: Route, { params, query, body, headers }: Fuzzed): Promise<ApiAnswer> {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '1'))
  const text = query
    .map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')
  const sent = service.api(route.method, `${path}${text && '?'}${text}`, { token, body, headers })
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error(`no answer within ${answeredWithinMs} ms`)), answeredWithinMs).unref(),
  )
  return Promise.race([sent, late])
}

/** Answers of the gateway itself, which any address may give. */
const ofGateway = ({ status, body }: ApiAnswer): boolean =>
  status === 431 || (status === 413 && body.message === 'Request Entity Too Large')

const soundPath = (route: Route, change: (value: string) => string = (value) => value): string =>
  route.path.replace(/\{(\w+)\}/g, (_, name: string) => change(sound[name] ?? '1'))

it('a malformed escape in a path is 400 wherever a path has a parameter, and the document says so', async () => {
  for (const route of allRoutes.filter(({ path }) => path.includes('{'))) {
    const answer = await service.api(
      route.method,
      soundPath(route, () => '%zz'),
      { token },
    )
    expect([answer.status, rules.problem(route.method, route.path, answer)], route.key).toEqual([400, undefined])
  }
})

it('a version that is not the current one is 412 exactly where the document says so', async () => {
  const written = allRoutes.filter(({ path, method }) => path.startsWith('/api/e/{model}/{id}') && method !== 'GET')
  const headers = { 'if-match': '"999999"' }
  for (const route of written) {
    const answer = await service.api(route.method, soundPath(route), { token, headers, body: route.example?.body })
    expect(answer.status === 412, `${route.key} answered ${answer.status}`).toBe(
      rules.declares(route.method, route.path, 412),
    )
  }
})

it.each(allRoutes.map((route) => ({ key: route.key, route })))(
  '$key answers any input as the OpenAPI document says',
  async ({ route }) => {
    const property = fc.asyncProperty(requestsOf(route), async (fuzzed) => {
      const answer = await send(route, fuzzed)
      if (answer.status === 401) await signIn()
      if (ofGateway(answer)) return
      const problem = answer.status >= 500 ? 'a server error' : rules.problem(route.method, route.path, answer)
      if (problem !== undefined)
        throw new Error(`${problem}: ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 600)}`)
    })
    const named = route.body ? withInheritedNames(route.example?.body ?? {}) : []
    await fc.assert(property, {
      seed,
      numRuns: runsPerRoute + named.length,
      interruptAfterTimeLimit: 15_000,
      examples: named.map((body) => [{ params: sound, query: [], body: JSON.stringify(body), headers: {} }]),
    })
  },
  240_000,
)

it('after the fuzzing the service works, and its administrator can log in', async () => {
  await signIn()
  expect((await service.api('GET', '/api/e/clients', { token })).status).toBe(200)
})
