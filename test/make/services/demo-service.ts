import { seed } from '../../../infra/local/demo/seed.ts'
import { readSettings } from '../../../infra/local/runtime/settings/settings.ts'
import { startService, type TestService } from './service.ts'

/** The passwords of the demo's administrator and of its agent. */
export const passwords = { 'admin@example.com': 'correct horse battery staple', 'ada@example.com': 'brass gears 1843' }

export interface DemoService extends TestService {
  signIn(email: keyof typeof passwords): Promise<string>
}

/** The service with the demo, as the first `npm start` makes it. */
export const startDemo = (): Promise<DemoService> => startSeeded('demo')

/** The service as the first `npm start` makes it; with `none`, an administrator and nothing else. */
export async function startSeeded(kind: 'demo' | 'none'): Promise<DemoService> {
  const service = await startService({ seeded: false, registration: 'open' })
  await seed({
    cloud: service.cloud,
    url: service.url,
    settings: readSettings({ SEED: kind, DATA_DIR: ':memory:', ADMIN_PASSWORD: passwords['admin@example.com'] }),
  })
  await service.cloud.idle()
  return {
    ...service,
    async signIn(email) {
      const { body } = await service.api('POST', '/api/login-local', { body: { email, password: passwords[email] } })
      return body.token
    },
  }
}
