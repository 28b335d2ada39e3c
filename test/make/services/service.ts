/** The assembled service on a local cloud in memory, with one tenant and its administrator, for stories. */

import { startLocalCloud } from '../../../infra/local/runtime/cloud.ts'
import type { LocalCloud, LocalCloudOptions } from '../../../infra/local/runtime/local-cloud.ts'
import { assemble } from '../../../infra/local/template/assemble.ts'
import { logIn } from '../../../shared/accounts/auth/sessions/login.ts'
import { createTenantWithAdministrator } from '../../../shared/accounts/auth/tenants/create-tenant.ts'
import { clock } from '../../../shared/kernel/clock.ts'
import { openClient } from '../../../shared/platform/store/client/open-client.ts'
import { createConfig } from '../../../shared/platform/store/config.ts'
import { createStore, type Store } from '../../../shared/platform/store/store.ts'
import { failureProblem } from '../oracles/failure-envelope.ts'

export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON; undefined without a body. */
  readonly body: any
}

export interface ApiRequest {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestService {
  readonly url: string
  readonly cloud: LocalCloud
  /** The store of the service, for what no endpoint offers. */
  readonly store: Store
  readonly admin: { readonly token: string; readonly email: string; readonly password: string; readonly userId: number }
  /**
   * `path` includes the query. A body that is not a string is sent as JSON. Throws when a failure carries no
   * documented code.
   */
  api(method: string, path: string, request?: ApiRequest): Promise<ApiAnswer>
  stop(): Promise<void>
}

export interface ServiceOptions extends Partial<Omit<LocalCloudOptions, 'parameters'>> {
  readonly appMode?: 'single' | 'saas'
  readonly registration?: 'open' | 'closed'
  readonly parameters?: Readonly<Record<string, string>>
  /** false: an empty deployment, without tenant and administrator. */
  readonly seeded?: boolean
}

const administrator = {
  name: 'Grace Hopper',
  email: 'grace@acme.test',
  password: 'nanoseconds of wire',
  emailVerified: true,
} as const

export async function startService({
  appMode,
  registration,
  parameters,
  seeded = true,
  ...options
}: ServiceOptions = {}): Promise<TestService> {
  const assembly = await assemble()
  const cloud = await startLocalCloud({
    ...assembly,
    port: 0,
    dataDirectory: ':memory:',
    sync: false,
    maxBatchingWindowMs: 0,
    parameters: {
      LogLevel: 'ERROR',
      ...(appMode && { AppMode: appMode }),
      ...(registration && { Registration: registration }),
      ...parameters,
    },
    ...options,
  })
  const store = createStore(cloud.tables[0] as string, openClient(cloud.clientOptions('dynamodb')))
  const admin = seeded ? await seed(store) : { ...administrator, token: '', userId: 0 }

  async function api(method: string, path: string, { token, body, headers = {} }: ApiRequest = {}): Promise<ApiAnswer> {
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await fetch(`${cloud.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: sent,
    })
    const text = await answer.text()
    const received = text === '' ? undefined : parsed(text)
    const problem = failureProblem(answer.status, received)
    if (problem !== undefined) throw new Error(`${method} ${path}: ${problem}`)
    return { status: answer.status, headers: answer.headers, body: received }
  }

  return { url: cloud.url, cloud, store, admin, api, stop: () => cloud.stop() }
}

async function seed(store: Store): Promise<TestService['admin']> {
  const accounts = { store, config: createConfig(store, clock), clock }
  const made = await createTenantWithAdministrator(
    accounts,
    { slug: 'acme', name: 'Acme Ltd', administrator },
    { first: true },
  )
  const login = await logIn(accounts, { ...administrator, sourceIp: '127.0.0.1' })
  return { ...administrator, token: 'token' in login ? login.token : '', userId: made.administrator.id }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** How stories call the API: in the name of the first administrator, unless a token says otherwise. */
export type ApiCall = (method: string, path: string, body?: unknown, token?: string) => ReturnType<TestService['api']>
