/**
 * Starts the service on this machine. Settings come from the environment; `Ready at ...` is printed once it serves
 * requests.
 */
import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seed } from './demo/seed.ts'
import { currentScope } from './lambda/invocation-scope.ts'
import { startLocalCloud } from './runtime/cloud.ts'
import type { LocalCloud } from './runtime/local-cloud.ts'
import { publishEndpoint } from './runtime/local-endpoint.ts'
import { readSettings } from './runtime/settings.ts'
import { onStopSignal } from './runtime/stop-signal.ts'
import { assemble } from './template/assemble.ts'

const stopWithinMs = 2_000
const answersWithinMs = 20_000

let cloud: LocalCloud | undefined
let stopping = false

onStopSignal(async () => {
  stopping = true
  // Every answered write is on disk, so the time limit loses nothing.
  await Promise.race([cloud?.stop(), sleep(stopWithinMs)])
  process.exit(0)
})

for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, containFailure)

try {
  await start()
} catch (error) {
  if (!stopping) {
    console.error(error instanceof Error ? error.message : String(error))
    if (process.env['LOG_LEVEL'] === 'DEBUG') console.error(error)
    process.exit(1)
  }
}

/** An uncaught error of a function ends its instance, as in Lambda, not the service. */
function containFailure(failure: unknown): void {
  const error = failure instanceof Error ? failure : new Error(String(failure))
  const scope = currentScope()
  const { name, message, stack } = error
  process.stderr.write(
    `${JSON.stringify({ level: 'ERROR', function: scope?.functionName, error: name, message, stack })}\n`,
  )
  if (!scope) process.exit(1)
  scope.halt(error)
}

async function start(): Promise<void> {
  const settings = readSettings(process.env)
  const dataDirectory = settings.dataDirectory === ':memory:' ? ':memory:' : resolve(settings.dataDirectory)
  const assembly = await assemble()
  // Compiling the bundles takes most of the start-up time.
  enableCompileCache(resolve(assembly.assetDirectory, '..', 'compiled'))
  cloud = await startLocalCloud({
    ...assembly,
    port: settings.port,
    dataDirectory,
    parameters: settings.parameters,
    holdsRequests: true,
  })
  if (stopping) return void cloud.stop()
  // Public requests, the health check included, wait until the tenant and its administrator exist.
  const setup = await cloud.openSetupEndpoint()
  await untilHealthy(setup.url)
  if (dataDirectory !== ':memory:')
    await publishEndpoint(dataDirectory, { dynamodb: await cloud.serveTools(), url: cloud.url })
  const lines = await seed({ cloud, url: setup.url, environment: process.env })
  cloud.acceptRequests()
  await setup.close()
  for (const line of lines) console.log(line)
  console.log(`Mail, SMS and messages are kept at ${cloud.url}/_local/outbox`)
  console.log(`Ready at ${cloud.url}`)
}

async function untilHealthy(url: string): Promise<void> {
  const end = Date.now() + answersWithinMs
  for (let status = 0; ; await sleep(100)) {
    const answer = await fetch(`${url}/api/health`).catch(() => undefined)
    await answer?.body?.cancel()
    status = answer?.status ?? 0
    if (status === 200) return
    if (Date.now() > end)
      throw new Error(
        `The service does not answer: GET /api/health returned ${status || 'nothing'}. Set LOG_LEVEL=DEBUG for details.`,
      )
  }
}
