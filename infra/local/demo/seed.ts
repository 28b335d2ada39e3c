/** Seeds a new data directory: the first tenant, its administrator and, unless SEED=none, the demo. */

import { randomBytes } from 'node:crypto'
import type { LocalCloud } from '../runtime/local-cloud.ts'
import type { Settings } from '../runtime/settings/settings.ts'
import {
  demoChannels,
  demoConversation,
  demoPeople,
  demoPortal,
  demoProcess,
  demoRecords,
  demoReplyTexts,
  demoRules,
  demoTables,
  demoTemplates,
  type DemoApi,
} from './demo.ts'
import { type Seeded, writeSeeded } from './seeded.ts'

/** The functions that the first start calls, or that must follow its writes: they are built before the others. */
export const seedFunctions = {
  none: ['api-docs', 'auth', 'fan-out', 'audit', 'search-indexer'],
  demo: [
    'api-docs',
    'auth',
    'tables',
    'directory',
    'relations',
    'channels',
    'configuration',
    'processes',
    'incoming',
    'records',
    'fan-out',
    'audit',
    'search-indexer',
  ],
} as const

/** Who the first tenant and its administrator are, in a new data directory. */
export const firstTenant = ({ seed: kind, adminEmail }: Settings): Seeded => ({
  tenant: kind === 'demo' ? 'demo' : 'main',
  administrator: adminEmail.toLowerCase(),
})

/** Creates the first tenant and its administrator if there is none. Returns the lines to print. */
export async function seed({
  cloud,
  url,
  settings,
}: {
  cloud: LocalCloud
  /** An address that already serves requests. */
  url: string
  settings: Settings
}): Promise<string[]> {
  const { dataDirectory, adminPassword } = settings
  const first = firstTenant(settings)
  const { tenant: slug, administrator: email } = first
  const password = adminPassword ?? randomBytes(12).toString('base64url')
  // Imported lazily: only the first start needs this second copy of the SDK.
  const { makeFirstTenant } = await import('../../operate/first-tenant/make-first-tenant.ts')
  const isNew = await makeFirstTenant(cloud.clientOptions('dynamodb'), cloud.tables[0] as string, {
    slug,
    name: slug === 'demo' ? 'Demo' : 'Main',
    administrator: { name: 'Administrator', email, password },
  })
  if (!isNew)
    return ['This data directory has a tenant already. `npm run admin -- --email <address>` invites an administrator.']

  if (settings.seed === 'demo') await makeDemo(await signIn(url, email, password))
  if (dataDirectory !== ':memory:') await writeSeeded(dataDirectory, first)
  return [
    adminPassword === undefined
      ? `Administrator ${email}, password ${password} (generated, shown only once)`
      : `Administrator ${email} signs in with ADMIN_PASSWORD`,
  ]
}

async function makeDemo(api: DemoApi): Promise<void> {
  const related = await demoTables(api)
  await demoPeople(api)
  await demoTemplates(api)
  await demoReplyTexts(api)
  await demoChannels(api)
  await demoProcess(api)
  await demoRecords(api, related)
  await demoRules(api)
  await demoConversation(api)
  await demoPortal(api)
}

/** The demo is created through the API, like by any client. */
async function signIn(url: string, email: string, password: string): Promise<DemoApi> {
  const call = async (method: string, path: string, body: object, token?: string): Promise<any> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok)
      throw new Error(
        `The demo could not be created: ${method} ${path} answered ${answer.status} ${text.slice(0, 300)}`,
      )
    return JSON.parse(text)
  }
  const { token } = await call('POST', '/api/login-local', { email, password })
  return async (method, path, body) => (await call(method, path, body, token)).data
}
