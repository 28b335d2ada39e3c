import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { makeRequests, makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedService()
  await makeRequests(service)
  await service.api('POST', '/api/e/clients', { token: service.admin.token, body: { name: 'Ann' } })
})
afterAll(() => service?.stop())

/** Round trips and calls of one request, on an instance that has cached this token and this table. */
async function costOf(method: string, path: string, body?: unknown, token = service.admin.token) {
  await service.cloud.idle()
  service.cloud.recordCalls()
  const answer = await service.api(method, path, { token, body })
  expect(answer.status).toBeLessThan(300)
  const { calls, roundTrips } = service.cloud.callsOf(answer.headers.get('apigw-requestid') as string)
  return { operations: calls.map(({ operation }) => operation), roundTrips, body: answer.body }
}

describe('the calls to AWS, including those for the token,', () => {
  it('are one for a get, which reads record, user, tenant and token together', async () => {
    await costOf('GET', '/api/e/clients/1')
    expect(await costOf('GET', '/api/e/clients/1')).toMatchObject({ operations: ['BatchGetItem'], roundTrips: 1 })
  })

  it('are two for a list', async () => {
    await costOf('GET', '/api/e/clients')
    expect(await costOf('GET', '/api/e/clients?per_page=10')).toMatchObject({
      operations: ['BatchGetItem', 'Query'],
      roundTrips: 2,
    })
  })

  it('are at most three round trips for a filtered, sorted, grouped or counted page on warm columns', async () => {
    const { token } = service.admin
    for (let n = 0; n < 30; n += 1)
      await service.api('POST', '/api/e/requests', {
        token,
        body: { title: `r${n}`, priority: 1 + (n % 5), client_id: 1, source: n % 2 ? 'mail' : 'phone' },
      })
    const list = '/api/e/requests/list-server'
    await costOf('POST', list, {})
    expect(await costOf('POST', list, {})).toMatchObject({ operations: ['BatchGetItem', 'Query'], roundTrips: 2 })
    for (const body of [
      { sort: ['-priority'] },
      { filter: { priority: 3 } },
      { filter: { source: 'mail' }, sort: ['-priority'] },
      { filter: { source: 'mail' }, sort: ['-priority', 'id'] },
      { filter: { source: 'mail', priority: { _gte: 3 } }, sort: ['-updated_at'] },
      { filter: { _or: [{ source: 'mail' }, { priority: 3 }] } },
      { filter: { priority: [1, 2] }, page: 2, per_page: 5 },
      { filter: { title: { _contains: 'r1' } }, sort: ['title'] },
      { sort: ['-priority', 'id'] },
      { filter: { created_by: '$CURRENT_USER' } },
      { search: 'r1' },
      { group_by: ['source'], aggregate: { avg: ['priority'] } },
    ]) {
      await costOf('POST', list, body)
      const { operations, roundTrips } = await costOf('POST', list, body)
      expect(roundTrips, JSON.stringify({ body, operations })).toBeLessThanOrEqual(3)
    }
  })

  it('are four round trips where the page is checked against records that it refers to', async () => {
    const body = { filter: { 'client_id.name': 'Ann' } }
    await costOf('POST', '/api/e/requests/list-server', body)
    expect((await costOf('POST', '/api/e/requests/list-server', body)).roundTrips).toBe(4)
  })

  it('are no more for a next page by cursor', async () => {
    const list = '/api/e/requests/list-server'
    const query = { filter: { priority: { _gte: 2 } }, sort: ['-priority'], per_page: 5 }
    const first = await costOf('POST', list, query)
    const next = await costOf('POST', list, { ...query, cursor: first.body.meta.next_cursor })
    expect(next.roundTrips).toBe(3)
    expect(next.body.meta.total).toBe(first.body.meta.total)
  })

  it('are three round trips for a create, which reads references and takes an id in parallel', async () => {
    await costOf('POST', '/api/e/requests', { title: 'warm' })
    expect((await costOf('POST', '/api/e/requests', { title: 'plain' })).operations).toEqual([
      'BatchGetItem',
      'UpdateItem',
      'PutItem',
    ])
    const withMore = await costOf('POST', '/api/e/requests', { title: 'x', client_id: 1, code: 'A-1' })
    expect(withMore.operations.toSorted()).toEqual(['BatchGetItem', 'BatchGetItem', 'TransactWriteItems', 'UpdateItem'])
    expect(withMore.roundTrips).toBe(3)
  })

  it('are two for an update, and three round trips with references', async () => {
    const { id } = (await costOf('POST', '/api/e/requests', { title: 'x' })).body.data
    expect((await costOf('PATCH', `/api/e/requests/${id}`, { title: 'y' })).operations).toEqual([
      'BatchGetItem',
      'PutItem',
    ])
    expect((await costOf('PATCH', `/api/e/requests/${id}`, { client_id: 1 })).roundTrips).toBe(3)
    expect((await costOf('PATCH', `/api/e/requests/${id}`, { client_id: 1 })).operations).toEqual(['BatchGetItem'])
  })

  it('are three for a delete', async () => {
    const { id } = (await costOf('POST', '/api/e/requests', { title: 'x' })).body.data
    await costOf(
      'DELETE',
      `/api/e/requests/${(await costOf('POST', '/api/e/requests', { title: 'warm' })).body.data.id}`,
    )
    expect(await costOf('DELETE', `/api/e/requests/${id}`)).toMatchObject({
      operations: ['BatchGetItem', 'TransactWriteItems', 'TransactWriteItems'],
      roundTrips: 3,
    })
  })
})

describe('the calls to AWS for a user with field rules', () => {
  it('are those of a user without: for one record, a list, a search, a create and an update', async () => {
    const fields = { requests: { read: ['title', 'client_id'] }, clients: { read: [] } }
    const permissions = ['requests.*', 'clients.*']
    const free = await userWith(service, permissions)
    const clerk = await userWith(service, permissions, [], fields)
    const callsOf = async (token: string) => {
      const cost = (method: string, path: string, body?: unknown) => costOf(method, path, body, token)
      const { id } = (await cost('POST', '/api/e/requests', { title: 'budget' })).body.data
      const asked: [string, string, unknown?][] = [
        ['GET', `/api/e/requests/${id}`],
        ['GET', '/api/e/requests?expand=client_id'],
        ['GET', '/api/e/requests?search=budget&per_page=1'],
        ['POST', '/api/e/requests', { title: 'budget' }],
        ['PATCH', `/api/e/requests/${id}`, { title: 'budget 2' }],
      ]
      const calls: string[] = []
      for (const request of asked) {
        await cost(...request)
        const last = request[0] === 'PATCH' ? { title: 'budget 3' } : request[2]
        calls.push((await cost(request[0], request[1], last)).operations.join())
      }
      return calls
    }
    const [without, limited] = [await callsOf(free.token), await callsOf(clerk.token)]
    expect(limited).toEqual(without)
  })
})

describe('the calls to AWS for a user with row rules', () => {
  it('are no more for one record, and three round trips for a list, which uses the index of the rule', async () => {
    const own = { created_by: '$CURRENT_USER' }
    const { token } = await userWith(
      service,
      ['requests.*'],
      ['read', 'update', 'delete'].map((action) => ({ table: 'requests', action, filter: own })),
    )
    const cost = (method: string, path: string, body?: unknown) => costOf(method, path, body, token)
    const { id } = (await cost('POST', '/api/e/requests', { title: 'mine' })).body.data
    await cost('GET', `/api/e/requests/${id}`)
    expect((await cost('GET', `/api/e/requests/${id}`)).operations).toEqual(['BatchGetItem'])
    expect((await cost('PATCH', `/api/e/requests/${id}`, { title: 'still mine' })).operations).toEqual([
      'BatchGetItem',
      'PutItem',
    ])
    await cost('GET', '/api/e/requests')
    const list = await cost('GET', '/api/e/requests')
    expect([list.body.meta.total, list.roundTrips]).toEqual([1, 3])
    await cost('DELETE', `/api/e/requests/${(await cost('POST', '/api/e/requests', { title: 'warm' })).body.data.id}`)
    expect((await cost('DELETE', `/api/e/requests/${id}`)).roundTrips).toBe(3)
  })
})

describe('a poll of the revision of a table', () => {
  const poll = (token: string, etag?: string, model = 'requests') =>
    service.api('GET', `/api/e/${model}/revision`, {
      token,
      headers: etag === undefined ? {} : { 'if-none-match': etag },
    })
  /** A poll with what its request called; nothing else is going on meanwhile. */
  async function costOfPoll(token: string, etag: string) {
    await service.cloud.idle()
    service.cloud.recordCalls()
    const answer = await poll(token, etag)
    const { calls } = service.cloud.callsOf(answer.headers.get('apigw-requestid') as string)
    return { status: answer.status, body: answer.body, operations: calls.map(({ operation }) => operation) }
  }
  const read = async (token: string) => {
    const { status, body, headers } = await poll(token)
    expect([status, body.data]).toEqual([200, { revision: expect.any(Number) }])
    return { revision: body.data.revision as number, etag: headers.get('etag') as string }
  }
  const write = (method: string, path: string, body?: object) =>
    service.api(method, path, { token: service.admin.token, body })

  it('costs, while nothing changed, the one read that checks the token, and answers 304', async () => {
    const { token } = service.admin
    const { etag } = await read(token)
    const unchanged = { status: 304, body: undefined, operations: ['BatchGetItem'] }
    expect(await costOfPoll(token, etag)).toEqual(unchanged)
    expect(await costOfPoll(token, `W/${etag}`)).toEqual(unchanged)
    await write('POST', '/api/e/clients', { name: 'of another table' })
    expect(await costOfPoll(token, etag)).toEqual(unchanged)
  })

  it('tells of every create, change and delete, and of none of another company', async () => {
    const { token } = service.admin
    const made = await write('POST', '/api/e/requests', { title: 'followed' })
    const path = `/api/e/requests/${made.body.data.id}`
    let last = await read(token)
    for (const change of [
      () => write('PATCH', path, { title: 'followed on' }),
      () => write('DELETE', path),
      () => write('POST', '/api/e/requests', { title: 'another' }),
    ]) {
      expect((await change()).status).toBeLessThan(300)
      await service.cloud.idle()
      expect((await poll(token, last.etag)).status).toBe(200)
      const next = await read(token)
      expect(next.revision).toBeGreaterThan(last.revision)
      last = next
    }
    const other = await otherTenant(service)
    await makeRequests(service, other.token)
    expect((await poll(other.token, last.etag)).status).toBe(200)
    expect((await read(other.token)).revision).toBe(0)
  })

  it('tells people with row rules nothing of a record, and people who may not read the table nothing at all', async () => {
    const none = { table: 'requests', action: 'read', filter: { title: 'none has this' } }
    const limited = await userWith(service, ['requests.read'], [none])
    const { etag, revision } = await read(limited.token)
    expect(await read(service.admin.token)).toEqual({ etag, revision })
    expect(await costOfPoll(limited.token, etag)).toMatchObject({ status: 304, operations: ['BatchGetItem'] })
    const stranger = await userWith(service, ['clients.read'])
    expect((await poll(stranger.token, etag)).status).toBe(403)
    expect((await poll(service.admin.token, etag, 'request')).status).toBe(404)
  })
})

describe('an instance that knows the table, but not the token', () => {
  beforeAll(async () => {
    for (const path of ['/api/e/clients/1', '/api/e/clients']) {
      await service.api('GET', path, { token: service.admin.token })
    }
  })

  const coldCost = async (method: string, path: string, body?: unknown) => {
    const fresh = await service.api('POST', '/api/login-local', {
      body: { email: service.admin.email, password: service.admin.password },
    })
    service.cloud.recordCalls()
    const answer = await service.api(method, path, { token: fresh.body.token, body })
    return service.cloud.callsOf(answer.headers.get('apigw-requestid') as string).roundTrips
  }

  it.each<[string, string, number, unknown?]>([
    ['GET', '/api/e/clients/1', 2],
    ['GET', '/api/e/clients', 3],
    ['POST', '/api/e/clients', 4, { name: 'x' }],
    ['PATCH', '/api/e/clients/1', 4, { name: 'cold' }],
  ])('answers %s %s with at most %d round trips', async (method, path, budget, body) => {
    expect(await coldCost(method, path, body)).toBeLessThanOrEqual(budget)
  })
})

describe('the calls to AWS for a table with hooks', () => {
  const withHooks = async (name: string, kinds: readonly string[], is_active = true) => {
    await makeTable(service, name, [{ name: 'title', type: 'text' }])
    const automations = kinds.map((kind) => ({ kind, script: 'if ($data) $data.title += "!"', is_active }))
    const { body } = await service.api('PUT', `/api/sys/entities/name/${name}`, {
      token: service.admin.token,
      body: { name, automations },
    })
    expect(body.success).toBe(true)
    await costOf('POST', `/api/e/${name}`, { title: 'warm' })
    return name
  }
  const all = ['before_create', 'after_create', 'before_update', 'after_update', 'before_delete', 'after_delete']

  it('are no more with inactive hooks', async () => {
    const name = await withHooks('resting', all, false)
    expect((await costOf('POST', `/api/e/${name}`, { title: 'x' })).operations).toEqual([
      'BatchGetItem',
      'UpdateItem',
      'PutItem',
    ])
    expect((await costOf('PATCH', `/api/e/${name}/1`, { title: 'y' })).operations).toEqual(['BatchGetItem', 'PutItem'])
  })

  it('grow by the run log with before hooks, but the round trips do not', async () => {
    const name = await withHooks('checked', ['before_create', 'before_update', 'before_delete'])
    const create = await costOf('POST', `/api/e/${name}`, { title: 'x' })
    expect([create.operations.toSorted(), create.roundTrips]).toEqual([
      ['BatchGetItem', 'BatchWriteItem', 'PutItem', 'UpdateItem'],
      3,
    ])
    const update = await costOf('PATCH', `/api/e/${name}/1`, { title: 'y' })
    expect([update.operations.toSorted(), update.roundTrips]).toEqual([
      ['BatchGetItem', 'BatchWriteItem', 'PutItem'],
      2,
    ])
    await costOf('DELETE', `/api/e/${name}/2`)
    expect((await costOf('DELETE', `/api/e/${name}/1`)).roundTrips).toBe(3)
  })

  it('grow by one round trip with after hooks, which removes their mark', async () => {
    const name = await withHooks('followed', ['after_create', 'after_update', 'after_delete'])
    const create = await costOf('POST', `/api/e/${name}`, { title: 'x' })
    expect([create.operations.slice(0, 3), create.operations.slice(3).toSorted(), create.roundTrips]).toEqual([
      ['BatchGetItem', 'UpdateItem', 'PutItem'],
      ['BatchWriteItem', 'UpdateItem'],
      4,
    ])
    expect((await costOf('PATCH', `/api/e/${name}/1`, { title: 'y' })).roundTrips).toBe(3)
    await costOf('DELETE', `/api/e/${name}/2`)
    expect((await costOf('DELETE', `/api/e/${name}/1`)).roundTrips).toBe(4)
  })
})
