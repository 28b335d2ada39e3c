import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalCloud } from '../../local/runtime/cloud.ts'
import type { LocalCloud, LocalCloudOptions } from '../../local/runtime/local-cloud.ts'
import type { MeterReading } from '../../local/sdk/meter/meter.ts'
import { assemble } from '../../local/template/assemble.ts'
import { makeFirstTenant } from '../first-tenant/make-first-tenant.ts'
import { type Deployment, readDeployment } from './deployment.ts'

/** The service in a temporary folder, with its template, metered. */
export interface MeasuredService {
  /** The running one: a restart makes another. */
  readonly cloud: LocalCloud
  readonly deployment: Deployment
  /** As it is with `Production=false`. */
  readonly trial: Deployment
  /** Sends a request as the administrator. Throws unless it succeeds. */
  send(request: { method: string; path: string; body?: unknown }): Promise<void>
  /** Meters `work` and what it causes until the cloud is idle. */
  measure(work: () => Promise<unknown>): Promise<Measurement>
  /** Every instance of a function is new afterwards. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export interface Measurement {
  readonly reading: MeterReading
  /** Sequential round trips to providers, of all invocations, by function. */
  readonly roundTrips: ReadonlyMap<string, number>
  /** What functions printed. */
  readonly logs: ReadonlyMap<string, { readonly events: number; readonly bytes: number }>
}

const email = 'cost@example.com'

export async function startMeasuredService(): Promise<MeasuredService> {
  const folder = await mkdtemp(join(tmpdir(), 'cost-'))
  const assembly = await assemble({ report: console.error })
  let logs = new Map<string, { events: number; bytes: number }>()
  const options: LocalCloudOptions = {
    ...assembly,
    port: 0,
    dataDirectory: folder,
    sync: false,
    maxBatchingWindowMs: 0,
    // As deployed: what functions log by default is billed.
    parameters: { LogLevel: 'INFO' },
    onOutput(functionName, text) {
      const lines = text.split('\n').filter((line) => line !== '')
      const known = logs.get(functionName) ?? { events: 0, bytes: 0 }
      logs.set(functionName, {
        events: known.events + lines.length,
        bytes: known.bytes + lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0),
      })
    },
  }
  let cloud = await startLocalCloud(options)

  async function stop(): Promise<void> {
    await cloud.stop()
    await rm(folder, { recursive: true, force: true })
  }

  try {
    const password = randomBytes(12).toString('base64url')
    await makeFirstTenant(cloud.clientOptions('dynamodb'), cloud.tables[0] as string, {
      slug: 'main',
      name: 'Main',
      administrator: { name: 'Administrator', email, password },
    })
    const { token } = await send({ method: 'POST', path: '/api/login-local', body: { email, password } })

    return {
      get cloud() {
        return cloud
      },
      deployment: readDeployment(assembly.templateFiles),
      trial: readDeployment(assembly.templateFiles, { Production: 'false' }),
      async send(request) {
        await send(request, token)
      },
      async measure(work) {
        await cloud.idle()
        logs = new Map()
        cloud.recordCalls()
        cloud.meter.start()
        await work()
        await cloud.idle()
        const reading = cloud.meter.stop()
        const roundTrips = roundTripsOf(cloud)
        cloud.recordCalls(false)
        return { reading, roundTrips, logs }
      },
      async restart() {
        await cloud.stop()
        cloud = await startLocalCloud(options)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }

  async function send(
    { method, path, body }: { method: string; path: string; body?: unknown },
    token?: string,
  ): Promise<{ token?: string }> {
    const answer = await fetch(`${cloud.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`)
    return text === '' ? {} : (JSON.parse(text) as { token?: string })
  }
}

function roundTripsOf(cloud: LocalCloud): Map<string, number> {
  const functionOf = new Map(cloud.callsOf().calls.map(({ requestId, functionName }) => [requestId, functionName]))
  const sum = new Map<string, number>()
  for (const [requestId, functionName] of functionOf)
    sum.set(functionName, (sum.get(functionName) ?? 0) + cloud.callsOf(requestId).roundTrips)
  return sum
}
