/**
 * Starts the service on this machine. Settings come from the environment; `Ready at ...` is printed once it serves
 * requests.
 */
import { readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ignoredAdministrator, refuseWeakAdministrator } from './demo/check-administrator.ts'
import { demoTableHeads } from './demo/demo.ts'
import { firstTenant, seed, seedFunctions } from './demo/seed.ts'
import { readSeeded, type Seeded } from './demo/seeded.ts'
import type { FrontPageFacts } from './front-page/front-page.ts'
import { serveFrontPage } from './front-page/serve-front-page.ts'
import { currentScope } from './lambda/invocation-scope.ts'
import { checkMachine } from './runtime/check-machine.ts'
import type { LocalCloud } from './runtime/local-cloud.ts'
import { readSettings } from './runtime/settings/settings.ts'
import { readArguments, startHelp } from './runtime/settings/variables.ts'
import { onStopSignal } from './runtime/stop-signal.ts'
import { checkDataFormat, dataFormat, noteDataFormat } from './runtime/storage/data-format.ts'
import { assemble, type Assembly } from './template/assemble.ts'

const root = join(import.meta.dirname, '../..')
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
  const asked = readArguments(process.argv.slice(2))
  if (asked === undefined) await start()
  else {
    console.log(asked === 'help' ? startHelp() : version())
    process.exit(0)
  }
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

function version(): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
}

async function start(): Promise<void> {
  const settings = readSettings(process.env)
  const { dataDirectory } = settings
  const seeded = readSeeded(dataDirectory)
  if (!seeded) await refuseWeakAdministrator(settings)
  const keepsData = dataDirectory !== ':memory:'
  const format = { format: dataFormat, version: version() }
  if (keepsData) checkDataFormat(dataDirectory, format)
  await checkMachine({ ...settings, buildFolder: join(root, '.build') })

  const done = stopwatch()
  // The template and the bundles are made by other processes, while this one loads the providers.
  const [assembly, { startLocalCloud }, { publishEndpoint }] = await Promise.all([
    assemble({ first: seeded ? [] : seedFunctions[settings.seed] }),
    import('./runtime/cloud.ts'),
    import('./runtime/local-endpoint.ts'),
  ])
  if (assembly.isNew) done('Built the template')
  // Compiling the bundles takes most of the start-up time.
  enableCompileCache(resolve(assembly.assetDirectory, '..', 'compiled'))
  cloud = await startLocalCloud({
    ...assembly,
    port: settings.port,
    dataDirectory,
    parameters: settings.parameters,
    holdsRequests: true,
    timing: settings.timing,
    instances: settings.instances,
    seed: settings.randomSeed,
    pages: serveFrontPage(() => frontPageFacts(readSeeded(dataDirectory) ?? firstTenant(settings))),
  })
  if (stopping) return void cloud.stop()
  // Public requests, the health check included, wait until the tenant and its administrator exist.
  const setup = await cloud.openSetupEndpoint()
  await untilHealthy(setup.url)
  if (keepsData) await noteDataFormat(dataDirectory, format)
  if (keepsData) await publishEndpoint(dataDirectory, { dynamodb: await cloud.serveTools(), url: cloud.url })
  if (!seeded) done('Started the service')
  const lines = seeded ? ignoredAdministrator(settings, seeded) : await seed({ cloud, url: setup.url, settings })
  if (!seeded) done(settings.seed === 'demo' ? 'Made the demo' : 'Made the first tenant')
  cloud.acceptRequests()
  await setup.close()
  for (const line of lines) console.log(line)
  console.log(`Mail, SMS and messages are kept at ${cloud.url}/_local/outbox`)
  if (settings.timing === 'aws') console.log(`Timing of AWS: LOCAL_SEED=${cloud.seed} repeats its random choices`)
  console.log(`Ready at ${cloud.url}`)
  await buildApp(cloud.url)
  await buildTheRest(assembly)
}

function frontPageFacts({ tenant, administrator }: Seeded): FrontPageFacts {
  return { tenant, administrator, tables: tenant === 'demo' ? demoTableHeads : [] }
}

/** Prints what was done since the last line, with its time. */
function stopwatch(): (what: string) => void {
  let from = performance.now()
  return (what) => {
    const now = performance.now()
    console.log(`${what} in ${((now - from) / 1000).toFixed(1)} s`)
    from = now
  }
}

/** What people open first comes before the other functions. */
async function buildApp(url: string): Promise<void> {
  await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined)
}

/** A function that is called before its turn is built at once. */
async function buildTheRest(assembly: Assembly): Promise<void> {
  const { length } = assembly.missing()
  if (length === 0) return
  console.log(`Building the other ${length} functions meanwhile: one that is called first may take a second or two.`)
  try {
    await assembly.bundleMissing()
    console.log('All functions are built.')
  } catch (error) {
    if (!stopping) console.error(error instanceof Error ? error.message : String(error))
  }
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
