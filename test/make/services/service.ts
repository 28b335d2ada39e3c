/** The assembled service on a local cloud in memory, with one tenant and its administrator, for stories. */

import { enableCompileCache, flushCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { startLocalCloud } from '../../../infra/local/runtime/cloud.ts'
import type { LocalCloud, LocalCloudOptions } from '../../../infra/local/runtime/local-cloud.ts'
import { assemble } from '../../../infra/local/template/assemble.ts'
import { createTenantWithAdministrator } from '../../../shared/accounts/people/create-tenant.ts'
import { logIn } from '../../../shared/accounts/sign-in/login.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
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
  readonly admin: Administrator
  /** The company whose administrator `admin` is. */
  readonly tenant: { readonly id: number; readonly slug: string }
  /**
   * `path` includes the query. A body that is not a string is sent as JSON. Throws when a failure carries no
   * documented code.
   */
  api(method: string, path: string, request?: ApiRequest): Promise<ApiAnswer>
  stop(): Promise<void>
}

export interface Administrator {
  readonly token: string
  readonly email: string
  readonly password: string
  readonly userId: number
}

export interface ServiceOptions extends Partial<Omit<LocalCloudOptions, 'parameters'>> {
  readonly appMode?: 'single' | 'saas'
  readonly registration?: 'open' | 'closed'
  readonly parameters?: Readonly<Record<string, string>>
  /** false: an empty deployment, without tenant and administrator. */
  readonly seeded?: boolean
}

const first: NewCompany = {
  slug: 'acme',
  administrator: {
    name: 'Grace Hopper',
    email: 'grace@acme.test',
    password: 'nanoseconds of wire',
    emailVerified: true,
  },
}
const nobody: Company = {
  admin: { token: '', email: first.administrator.email, password: first.administrator.password, userId: 0 },
  tenant: { id: 0, slug: '' },
}

export async function startService({
  appMode,
  registration,
  parameters,
  seeded = true,
  ...options
}: ServiceOptions = {}): Promise<TestService> {
  const assembly = await assemble()
  // Compiling the bundles takes a third of what a story takes; the next worker finds them compiled.
  enableCompileCache(resolve(assembly.assetDirectory, '..', 'compiled'))
  const cloud = await startLocalCloud({
    ...assembly,
    port: 0,
    dataDirectory: ':memory:',
    sync: false,
    maxBatchingWindowMs: 0,
    ...timingOfRun(),
    parameters: {
      LogLevel: 'ERROR',
      TenantRequestsPerSecond: '0',
      ...(appMode && { AppMode: appMode }),
      ...(registration && { Registration: registration }),
      ...parameters,
    },
    ...options,
  })
  const store = createStore(cloud.tables[0] as string, openClient(cloud.clientOptions('dynamodb')))
  const company = seeded ? await makeCompany(store, first) : nobody
  const stop = async (): Promise<void> => {
    await cloud.stop()
    flushCompileCache()
  }
  return { url: cloud.url, cloud, store, ...company, api: callsTo(cloud.url), stop }
}

/** As on AWS: a company without mail settings sends no mail. */
export const withoutEmbeddedMail = { LOCAL_MAIL_FROM: '' }

/** `TEST_TIMING=aws TEST_INSTANCES=3` tries any story in AWS's time. */
function timingOfRun(): Pick<LocalCloudOptions, 'timing' | 'instances'> {
  const { TEST_TIMING, TEST_INSTANCES } = process.env
  return { timing: TEST_TIMING === 'aws' ? 'aws' : 'fast', instances: Number(TEST_INSTANCES ?? 1) }
}

let running: Promise<TestService> | undefined
let companies = 0

/**
 * A company of its own in the one service that the stories of a worker share: for a story that neither sets the service
 * up in a way of its own, nor sees what all companies keep. Files of a worker run one after the other, so it may inject
 * faults and count calls: both are over when the next company begins. The service stops with the worker.
 */
export async function sharedService(): Promise<TestService> {
  const service = await (running ??= startService({ seeded: false, log: () => {}, environment: withoutEmbeddedMail }))
  service.cloud.faults.clear()
  service.cloud.recordCalls(false)
  const number = ++companies
  const company = await makeCompany(service.store, {
    slug: `acme-${number}`,
    administrator: { ...first.administrator, email: `grace@acme-${number}.test` },
  })
  // What the story left to do is done before the next one begins: beside others, many messages take their time.
  const stop = async (): Promise<void> => {
    await service.cloud.idle(120_000)
    flushCompileCache()
  }
  return { ...service, ...company, stop }
}

/** Sends requests of a test to the service at `url`. */
function callsTo(url: string): TestService['api'] {
  return async (method: string, path: string, { token, body, headers = {} }: ApiRequest = {}): Promise<ApiAnswer> => {
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await fetch(`${url}${path}`, {
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
}

type Company = Pick<TestService, 'admin' | 'tenant'>

interface NewCompany {
  readonly slug: string
  readonly administrator: { name: string; email: string; password: string; emailVerified: true }
}

async function makeCompany(store: Store, { slug, administrator }: NewCompany): Promise<Company> {
  const accounts = { store, config: createConfig(store, clock), clock }
  const made = await createTenantWithAdministrator(
    accounts,
    { slug, name: 'Acme Ltd', administrator },
    { first: slug === first.slug },
  )
  const login = await logIn(accounts, { ...administrator, sourceIp: '127.0.0.1' })
  const { email, password } = administrator
  const token = 'token' in login ? login.token : ''
  return {
    admin: { token, email, password, userId: made.administrator.id },
    tenant: { id: made.tenant.id, slug },
  }
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
