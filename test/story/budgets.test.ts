import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type TestService } from '../make/service.ts'
import { makeRequests } from '../make/tables.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await makeRequests(service)
  await service.api('POST', '/api/e/clients', { token: service.admin.token, body: { name: 'Ann' } })
})
afterAll(() => service?.stop())

/** Sequential round trips and calls of one request, on an instance that has seen this token and this table before. */
async function costOf(method: string, path: string, body?: unknown) {
  const { token } = service.admin
  await service.cloud.idle()
  service.cloud.recordCalls()
  const answer = await service.api(method, path, { token, body })
  expect(answer.status).toBeLessThan(300)
  const { calls, roundTrips } = service.cloud.callsOf(answer.headers.get('apigw-requestid') as string)
  return { operations: calls.map(({ operation }) => operation), roundTrips, body: answer.body }
}

describe('calls to AWS, the token’s included', () => {
  it('get: one, because record, user, tenant and token are read together', async () => {
    await costOf('GET', '/api/e/clients/1')
    expect(await costOf('GET', '/api/e/clients/1')).toMatchObject({ operations: ['BatchGetItem'], roundTrips: 1 })
  })

  it('list: two', async () => {
    await costOf('GET', '/api/e/clients')
    expect(await costOf('GET', '/api/e/clients?per_page=10')).toMatchObject({ operations: ['BatchGetItem', 'Query'], roundTrips: 2 })
  })

  it('create: three, references and the id side by side', async () => {
    await costOf('POST', '/api/e/requests', { title: 'warm' })
    expect((await costOf('POST', '/api/e/requests', { title: 'plain' })).operations).toEqual(['BatchGetItem', 'UpdateItem', 'PutItem'])
    const withMore = await costOf('POST', '/api/e/requests', { title: 'x', client_id: 1, code: 'A-1' })
    expect(withMore.operations.toSorted()).toEqual(['BatchGetItem', 'BatchGetItem', 'TransactWriteItems', 'UpdateItem'])
    expect(withMore.roundTrips).toBe(3)
  })

  it('update: two, three with references', async () => {
    const { id } = (await costOf('POST', '/api/e/requests', { title: 'x' })).body.data
    expect((await costOf('PATCH', `/api/e/requests/${id}`, { title: 'y' })).operations).toEqual(['BatchGetItem', 'PutItem'])
    expect((await costOf('PATCH', `/api/e/requests/${id}`, { client_id: 1 })).roundTrips).toBe(3)
    expect((await costOf('PATCH', `/api/e/requests/${id}`, { client_id: 1 })).operations).toEqual(['BatchGetItem'])
  })

  it('delete: three', async () => {
    const { id } = (await costOf('POST', '/api/e/requests', { title: 'x' })).body.data
    await costOf('DELETE', `/api/e/requests/${(await costOf('POST', '/api/e/requests', { title: 'warm' })).body.data.id}`)
    expect(await costOf('DELETE', `/api/e/requests/${id}`)).toMatchObject({
      operations: ['BatchGetItem', 'TransactWriteItems', 'TransactWriteItems'],
      roundTrips: 3,
    })
  })
})

describe('calls of an instance that has never seen the token', () => {
  const coldCost = async (method: string, path: string, body?: unknown) => {
    const fresh = await service.api('POST', '/api/login-local', { body: { email: service.admin.email, password: service.admin.password } })
    service.cloud.recordCalls()
    const answer = await service.api(method, path, { token: fresh.body.token, body })
    return service.cloud.callsOf(answer.headers.get('apigw-requestid') as string).roundTrips
  }

  it.each<[string, string, number, unknown?]>([
    ['GET', '/api/e/clients/1', 2],
    ['GET', '/api/e/clients', 3],
    ['POST', '/api/e/clients', 4, { name: 'x' }],
    ['PATCH', '/api/e/clients/1', 4, { name: 'cold' }],
  ])('%s %s: at most %d round trips', async (method, path, budget, body) => {
    expect(await coldCost(method, path, body)).toBeLessThanOrEqual(budget)
  })
})
