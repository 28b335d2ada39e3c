import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ parameters: { TenantRequestsPerSecond: '4', TrustedProxies: '127.0.0.0/8' } })
})
afterAll(() => service.stop())

it('a company that sends more than it may is told to wait, by every function, and others are served', async () => {
  const { token } = service.admin
  const paths = ['/api/user', '/api/sys/entities', '/api/sys/channels', '/api/e/sys_companies']
  const answers = []
  for (let n = 0; n < 120; n += 1) answers.push(await service.api('GET', paths[n % paths.length] as string, { token }))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(40)
  expect(refused.length).toBeGreaterThanOrEqual(20)
  for (const { status, headers, body } of refused) {
    expect([status, body.code]).toEqual([429, 'rate_limited'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(body.message).toMatch(/^Too many requests of your company\. Try again in \d+ seconds\.$/)
  }
  expect((await service.api('GET', '/api/health')).status).toBe(200)
})
