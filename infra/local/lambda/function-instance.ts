/**
 * One instance of a function: imports its bundle once, with an environment and a module state of its own, and invokes it
 * with a Lambda context and timeout. It ends as in Lambda when it throws, hangs or crashes.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { createInFlight, InFlight } from '../runtime/in-flight.ts'
import type { Timeline } from '../runtime/timing/timeline.ts'
import type { Meter } from '../sdk/meter/meter.ts'
import type { FairTurns } from '../turns/fair-turns.ts'
import { installScope, runInScope } from './invocation-scope.ts'
import type { Scope } from './invocation-scope.ts'
import { lineageOf } from './lineage.ts'

export interface FunctionDefinition {
  readonly name: string
  readonly arn: string
  readonly codeDirectory: string
  /** `<file>.<export>`, as in the template. */
  readonly handler: string
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly memoryMb: number
  /** Lambda ends no chain of messages in which it is invoked again and again. */
  readonly mayLoop: boolean
}

export interface LambdaContext {
  readonly awsRequestId: string
  readonly functionName: string
  readonly functionVersion: string
  readonly invokedFunctionArn: string
  readonly memoryLimitInMB: string
  readonly logGroupName: string
  readonly logStreamName: string
  callbackWaitsForEmptyEventLoop: boolean
  getRemainingTimeInMillis(): number
}

export interface FunctionInstance {
  /** Number of invocations in flight. */
  readonly running: number
  /** Runs the handler, which may change the event. Rejects with what it threw, FunctionTimedOut or FunctionCrashed. */
  invoke(event: unknown, httpRequestId?: string): Promise<unknown>
  /** Imports the bundle before the first invocation. */
  warm(): Promise<void>
}

export interface InvokeOptions {
  readonly clientOptions: (service: string) => Record<string, unknown>
  readonly running: RunningInvocations
  readonly turns: FairTurns
  readonly meter: Meter
  readonly timeline: Timeline
  /** How much later the first invocation of an instance begins. */
  readonly coldStartMs?: number
  /** The folder that holds the code of a function's `codeDirectory`. */
  readonly codeOf: (codeDirectory: string) => Promise<string>
}

/** Work in flight, of all functions of a cloud. */
export interface RunningInvocations {
  /** Including imports. */
  count: number
  readonly invocations: ReturnType<typeof createInFlight<Invocation>>
}

type Handler = (event: unknown, context: LambdaContext) => unknown

/** An imported bundle. */
interface LoadedBundle {
  readonly handler: Handler
}

/** An invocation in flight. */
interface Invocation extends InFlight {
  readonly bundle: LoadedBundle
  /** Ends it as if its process had died. */
  halt(error: Error): void
}

export class FunctionTimedOut extends Error {
  override readonly name = 'FunctionTimedOut'
}
export class FunctionCrashed extends Error {
  override readonly name = 'FunctionCrashed'
}

const { nativeImport } = createRequire(import.meta.url)('./native-import.mjs') as {
  nativeImport(url: string): Promise<Record<string, unknown>>
}
/** How many instances of each function were imported. */
const imported = new Map<string, number>()

/** Opens an instance. The first invocation (or `warm`) imports its bundle. */
export function openInstance(
  definition: FunctionDefinition,
  { clientOptions, running, turns, meter, timeline, coldStartMs = 0, codeOf }: InvokeOptions,
): FunctionInstance {
  installScope()
  const logStreamName = `local/[$LATEST]${randomUUID().replaceAll('-', '')}`
  const logGroupName = `/aws/lambda/${definition.name}`
  let loading: Promise<LoadedBundle> | undefined
  let bundle: LoadedBundle | undefined
  let inFlight = 0

  const scopeOf = (
    environment: Record<string, string>,
    requestId: string,
    { httpRequestId, lineage }: Pick<Scope, 'httpRequestId' | 'lineage'> = {},
  ): Scope => ({
    functionName: definition.name,
    environment,
    requestId,
    httpRequestId,
    lineage,
    halted: false,
    usedMs: 0,
    beganAtMs: performance.now(),
    timeoutMs: definition.timeoutMs,
    halt: () => {},
    clientOptions,
    now: () => Date.now() + timeline.movedMs,
    turns,
  })

  // Belongs to the instance: a new instance gets a fresh environment.
  let environment: Record<string, string> = {}

  function load(): Promise<LoadedBundle> {
    if (loading) return loading
    const started: Promise<LoadedBundle> = importBundle().then(
      (found) => (loading === started ? (bundle = found) : found),
      (error) => {
        if (loading === started) retire()
        throw error
      },
    )
    return (loading = started)
  }

  async function importBundle(): Promise<LoadedBundle> {
    if (coldStartMs > 0) await timeline.sleep(coldStartMs)
    const codeDirectory = await codeOf(definition.codeDirectory)
    const located = { ...definition, codeDirectory }
    environment = { ...lambdaEnvironment(located, logGroupName, logStreamName), ...definition.environment }
    return { handler: await runInScope(scopeOf(environment, ''), () => importHandler(located)) }
  }

  /** After a crash, a timeout or a failed import, the next invocation gets a new instance. */
  function retire(): void {
    loading = undefined
    bundle = undefined
  }

  function run(ready: LoadedBundle, event: unknown, httpRequestId?: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const lineage = lineageOf(definition.name, event)
      const scope = scopeOf(environment, randomUUID(), { httpRequestId, lineage })
      const deadline = Date.now() + definition.timeoutMs
      let meteredFrom = meter.running ? performance.now() : undefined
      // A named constant, not a literal at the member: V8 would keep the whole request alive (docs/decisions/0027).
      const halt = (error: Error): void => {
        if (scope.halted) return
        scope.halted = true
        end()
        turns.leave(scope)
        if (bundle === ready) retire()
        reject(error)
        if (!(error instanceof FunctionCrashed)) return
        // Concurrent invocations share an instance here. A crash ends them all, as they may wait for each other.
        for (const other of running.invocations.all()) if (other.bundle === ready) other.halt(error)
      }
      scope.halt = halt
      const invocation: Invocation = { index: -1, bundle: ready, halt }
      running.invocations.add(invocation)
      const timer = setTimeout(() => {
        scope.halt(new FunctionTimedOut(`Task timed out after ${(definition.timeoutMs / 1000).toFixed(2)} seconds`))
      }, definition.timeoutMs)
      const context: LambdaContext = {
        awsRequestId: scope.requestId,
        functionName: definition.name,
        functionVersion: '$LATEST',
        invokedFunctionArn: definition.arn,
        memoryLimitInMB: String(definition.memoryMb),
        logGroupName,
        logStreamName,
        callbackWaitsForEmptyEventLoop: true,
        getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
      }
      const end = (): void => {
        clearTimeout(timer)
        running.invocations.delete(invocation)
        if (meteredFrom === undefined) return
        meter.countInvocation(definition.name, performance.now() - meteredFrom, definition.memoryMb)
        meteredFrom = undefined
      }
      runInScope(scope, async () => ready.handler(event, context))
        .finally(end)
        .then(resolve, reject)
    })
  }

  return {
    get running() {
      return inFlight
    },
    async warm() {
      await load()
    },
    async invoke(event, httpRequestId) {
      running.count++
      inFlight++
      try {
        return await run(bundle ?? (await load()), event, httpRequestId)
      } finally {
        inFlight--
        running.count--
      }
    },
  }
}

async function importHandler({ name, codeDirectory, handler }: FunctionDefinition): Promise<Handler> {
  const dot = handler.lastIndexOf('.')
  const [file, exported] = [handler.slice(0, dot), handler.slice(dot + 1)]
  const path = ['.mjs', '.js', '.cjs'].map((extension) => join(codeDirectory, file + extension)).find(existsSync)
  if (!path) throw new Error(`The bundle of ${name} holds no ${file}.mjs: ${codeDirectory}`)
  // The query makes each instance a module of its own: bundles keep state in module scope.
  // Counted by function: Node's compile cache then knows the URL from the process before, whatever was imported first.
  const url = pathToFileURL(path)
  const instance = (imported.get(name) ?? 0) + 1
  imported.set(name, instance)
  url.search = `?function=${encodeURIComponent(name)}&instance=${instance}`
  // `import()` reads it in one go: from a cold disk that would keep all other functions waiting.
  await readFile(path)
  const module = await nativeImport(url.href)
  const found = module[exported] ?? (module.default as Record<string, unknown> | undefined)?.[exported]
  if (typeof found !== 'function') throw new Error(`The bundle of ${name} exports no function ${exported}.`)
  return found as Handler
}

/** The variables of the Lambda runtime that code is known to read. */
function lambdaEnvironment(
  definition: FunctionDefinition,
  logGroup: string,
  logStream: string,
): Record<string, string> {
  const region = definition.arn.split(':')[3]!
  return {
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_EXECUTION_ENV: `AWS_Lambda_nodejs${process.versions.node.split('.')[0]}.x`,
    AWS_LAMBDA_FUNCTION_NAME: definition.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: logStream,
    LAMBDA_TASK_ROOT: definition.codeDirectory,
    _HANDLER: definition.handler,
    // Metrics are log lines, which nothing collects here.
    POWERTOOLS_METRICS_DISABLED: 'true',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    PATH: '/usr/local/bin:/usr/bin:/bin',
  }
}
