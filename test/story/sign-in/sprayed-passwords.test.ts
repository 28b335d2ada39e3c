import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ log: () => {} })
})
afterAll(() => service?.stop())

const guess = (email: string, password = 'Summer 2026!') =>
  service.api('POST', '/api/login-local', { body: { email, password } })

it('a login waits once ten accounts failed from its network, unless it succeeded there before', async () => {
  const body = { name: 'Newcomer', email: 'new@acme.test', password: 'correct horse battery', roles: [] }
  expect((await service.api('POST', '/api/sys/users', { token: service.admin.token, body })).status).toBe(201)
  const statuses: number[] = []
  for (let n = 1; n <= 12; n += 1) statuses.push((await guess(`person${n}@acme.test`)).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 429, 429])
  const newcomer = await guess(body.email, body.password)
  expect([newcomer.status, Number(newcomer.headers.get('retry-after')) > 60]).toEqual([429, true])
  expect((await guess(service.admin.email, service.admin.password)).status).toBe(200)
})
