/** Seeds a new data directory: the first tenant, its administrator and, unless SEED=none, the demo. */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalCloud } from '../runtime/local-cloud.ts'
import { readSettings } from '../runtime/settings.ts'
import { demoProcess, demoRecords, demoRules, demoTables, demoTemplates, type DemoApi } from './demo.ts'

const markerFile = 'seeded.json'

/** Creates the first tenant and its administrator if there is none. Returns the lines to print. */
export async function seed({
  cloud,
  url,
  environment,
}: {
  cloud: LocalCloud
  /** An address that already serves requests. */
  url: string
  environment: Readonly<Record<string, string | undefined>>
}): Promise<string[]> {
  const { dataDirectory, adminEmail, adminPassword, seed: kind } = readSettings(environment)
  const marker = dataDirectory === ':memory:' ? undefined : join(dataDirectory, markerFile)
  if (marker && existsSync(marker)) return []

  const password = adminPassword ?? randomBytes(12).toString('base64url')
  const tenant = kind === 'demo' ? { slug: 'demo', name: 'Demo' } : { slug: 'main', name: 'Main' }
  const administrator = { name: 'Administrator', email: adminEmail.toLowerCase(), password }
  // Imported lazily: only the first start needs this second copy of the SDK.
  const { makeFirstTenant } = await import('../../operate/first-tenant.ts')
  const isNew = await makeFirstTenant(cloud.clientOptions('dynamodb'), cloud.tables[0] as string, {
    ...tenant,
    administrator,
  })
  if (!isNew)
    return ['This data directory has a tenant already. `npm run admin -- --email <address>` invites an administrator.']

  if (kind === 'demo') await makeDemo(await signIn(url, administrator.email, password))
  if (marker)
    await writeFile(
      marker,
      `${JSON.stringify({ tenant: tenant.slug, administrator: administrator.email, at: new Date().toISOString() })}\n`,
    )
  return [
    adminPassword === undefined
      ? `Administrator ${administrator.email}, password ${password} (generated, shown only once)`
      : `Administrator ${administrator.email} signs in with ADMIN_PASSWORD`,
  ]
}

async function makeDemo(api: DemoApi): Promise<void> {
  const related = await demoTables(api)
  await demoTemplates(api)
  await demoProcess(api)
  await demoRecords(api, related)
  await demoRules(api)
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
