import { randomBytes, randomInt } from 'node:crypto'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { copyData } from '../backup/copy-data.ts'
import { maxLagMs } from '../dynamodb/consistency/replicas.ts'
import { type DynamoDb, openDynamoDb } from '../dynamodb/open.ts'
import { serveHttp } from '../dynamodb/serve-http.ts'
import { readCors } from '../gateway/cors.ts'
import { type HttpApi, listen } from '../gateway/gateway.ts'
import { readKeyFile } from '../kms/key-file.ts'
import { openKms } from '../kms/open.ts'
import { awsRetries, fastRetries } from '../lambda/event-source.ts'
import { type EventSources, startEventSources, streamFilter } from '../lambda/event-sources.ts'
import { type Functions, openFunctions } from '../lambda/functions.ts'
import { redirectOutput } from '../lambda/local-function.ts'
import { startSchedules } from '../lambda/schedules.ts'
import { openReceivers } from '../outbox/open.ts'
import { serveMailbox } from '../outbox/page/serve-mailbox.ts'
import { serveOutbox } from '../outbox/page/serve-outbox.ts'
import { serveMessenger } from '../outbox/page/serve-writing.ts'
import { watchWebRequests } from '../outbox/web-requests.ts'
import { openObjectStore } from '../s3/object-store.ts'
import { openCallRecord } from '../sdk/call-record.ts'
import { openFaultPoint } from '../sdk/faults/fault-point.ts'
import { openMeter } from '../sdk/meter/meter.ts'
import { openProviders } from '../sdk/providers.ts'
import { disorderOf } from '../sqs/disorder.ts'
import { openQueues } from '../sqs/queues.ts'
import { type Definitions, readDefinitions } from '../template/definitions.ts'
import { readTemplates } from '../template/read-templates.ts'
import { resolveTemplate } from '../template/resolve-template.ts'
import { identifyResource } from '../template/resource-types.ts'
import { createFairTurns } from '../turns/fair-turns.ts'
import type { LocalCloud, LocalCloudOptions } from './local-cloud.ts'
import { openStorage } from './storage/storage.ts'
import { advance, untilIdle } from './timing/pass-time.ts'
import { seededRandomness } from './timing/randomness.ts'
import { openTimeline } from './timing/timeline.ts'
import { toolServices } from './tool-services.ts'

const location = { region: 'us-east-1', accountId: '000000000000', stackName: 'local' }
const answerGraceMs = 1_000
const batchGraceMs = 500

/**
 * A cloud on one machine: runs a CloudFormation template with the bundles that Lambda would get. Tables, queues and
 * objects are kept in one data directory. Several clouds can run in one process. Rejects with a one-line message for
 * the operator: port taken, data directory in use, template not supported.
 */
export async function startLocalCloud(options: LocalCloudOptions): Promise<LocalCloud> {
  const { log = logToStderr, codeOf = async (folder) => folder, pages = {}, seed = randomInt(2 ** 31) } = options
  const isAws = options.timing === 'aws'
  const { instances = 1, coldStartMs = isAws ? 300 : 0 } = options
  const randomFor = seededRandomness(seed)
  const timeline = openTimeline(options.now)
  const { now } = timeline
  const opened: (() => Promise<unknown> | void)[] = []

  async function start(): Promise<LocalCloud> {
    opened.push(timeline.close)
    if (options.onOutput) opened.push(redirectOutput(options.onOutput))
    const template = readTemplates(options.templateFiles)
    const gateway = await listen(options.port)
    opened.push(() => gateway.close(0))
    const url = `http://localhost:${gateway.port}`
    const definitions = withShorterWindows(
      readDefinitions(
        resolveTemplate(template, {
          location,
          parameters: options.parameters ?? {},
          identify: (id, type, property) => identifyResource(id, type, property, { ...location, url }),
        }),
        options.assetDirectory,
      ),
      options.maxBatchingWindowMs,
    )

    const inMemory = options.dataDirectory === ':memory:'
    const storage = await openStorage(inMemory ? ':memory:' : join(options.dataDirectory, 'store'), {
      sync: options.sync,
      onOutage: log,
    })
    opened.push(() => storage.close())
    // It holds the data of all tenants: only its owner may look into it, whatever the mask of new files is.
    if (!inMemory) await chmod(options.dataDirectory, 0o700)
    const dynamoDb = await openTables(definitions)
    opened.push(() => dynamoDb.close())
    const queues = await openQueues(storage, definitions.queues, timeline, (name) =>
      isAws ? disorderOf(randomFor(`queue ${name}`)) : undefined,
    )
    opened.push(() => queues.close())
    const objectStore = openObjectStore({
      directory: inMemory ? undefined : join(options.dataDirectory, 'files'),
      buckets: definitions.buckets,
      now,
    })
    opened.push(() => objectStore.close())

    const secret = await readKeyFile(inMemory ? undefined : join(options.dataDirectory, 'kms.key'))
    const kms = openKms({ keyArns: definitions.keys, secret })

    const hasMailServer = definitions.functions.some(({ environment }) => Boolean(environment['MAIL_HOST']))
    const receivers = await openReceivers({ storage, now, log, hasMailServer })
    opened.push(() => receivers.close())

    const faults = openFaultPoint(options.faults)
    const record = openCallRecord(options.recordCalls ?? false)
    const meter = openMeter()
    const turns = createFairTurns()
    const json = { dynamodb: dynamoDb.call, sqs: queues.call, kms, ...receivers.json }
    const providers = openProviders({
      ...location,
      json,
      others: receivers.others,
      objectStore,
      faults,
      record,
      meter,
      turns,
      permissions: definitions.permissions,
    })
    opened.push(watchWebRequests(receivers.outbox, ({ clientOptions }) => clientOptions === providers.clientOptions))

    const environment = { LOOPBACK_TARGETS: 'allowed', ...options.environment }
    const functions = openFunctions(
      definitions.functions.map((definition) => ({
        ...definition,
        environment: receivers.environmentOf({ ...environment, ...definition.environment }),
      })),
      {
        clientOptions: providers.clientOptions,
        codeOf,
        faults,
        turns,
        meter,
        timeline,
        log,
        instances,
        coldStartMs,
        endsLoops: isAws,
        randomFor,
      },
    )
    const api: HttpApi = {
      accountId: location.accountId,
      apiId: definitions.api.id,
      cors: readCors(definitions.api.cors),
      routes: definitions.api.routes.map(({ routeKey, functionArn }) => ({
        routeKey,
        target: functions.get(functionArn),
      })),
      functionUrls: new Map(
        definitions.functionUrls.map(({ path, functionArn }) => [path, functions.get(functionArn)]),
      ),
      now,
      meter,
      onFailure: functions.logFailure,
      pages: {
        ...pages,
        '/_local/outbox': serveOutbox(receivers.outbox),
        '/_local/mailbox': serveMailbox(receivers.outbox, receivers.mailboxes),
        '/_local/messenger': serveMessenger(receivers.tellBot),
      },
    }
    if (!options.holdsRequests) gateway.serve(api)
    const { deliver } = functions
    const eventSources = startEventSources({
      definitions: definitions.eventSources,
      storage,
      dynamoDb,
      queues,
      objectStore,
      deliver,
      meter,
      timeline,
      retries: isAws ? awsRetries : fastRetries,
      lagging: isAws ? { randomFor } : undefined,
      log,
    })
    const stopSchedules = startSchedules({
      definitions: definitions.schedules,
      storage,
      ...location,
      timeline,
      send(targetArn, event) {
        const queue = queues.get(targetArn)
        const sent = queue
          ? queue.send([{ body: JSON.stringify(event) }])
          : deliver(functions.get(targetArn).definition.name, event as object)
        sent.catch(() => {})
      },
    })

    const activity = {
      timeline,
      running: () => functions.running,
      busy: () => busyParts(functions, eventSources),
    }
    let stopped: Promise<void> | undefined
    async function stop(): Promise<void> {
      stopSchedules()
      const sourcesEnded = eventSources.stop()
      await gateway.close(answerGraceMs)
      await Promise.race([sourcesEnded, sleep(batchGraceMs)])
      providers.close()
      functions.halt()
      for (const close of opened.reverse()) await close()
    }

    return {
      url,
      port: gateway.port,
      functions: functions.names,
      tables: definitions.tables.map(({ TableName }) => String(TableName)),
      buckets: definitions.buckets.map(({ name }) => name),
      faults,
      invoke: async (functionName, event = {}) => asJson(await functions.find(functionName).invoke(asJson(event))),
      acceptRequests: () => gateway.serve(api),
      async openSetupEndpoint() {
        const endpoint = await listen(0)
        opened.push(() => endpoint.close(0))
        endpoint.serve(api)
        return { url: `http://localhost:${endpoint.port}`, close: () => endpoint.close(answerGraceMs) }
      },
      clientOptions: providers.clientOptions,
      async serveTools() {
        const endpoint = await serveHttp(dynamoDb, {
          secret: randomBytes(24).toString('base64url'),
          others: toolServices({
            queues,
            objectStore,
            functions,
            backUp: (to, onProgress) => copyData({ storage, directory: options.dataDirectory, to, now, onProgress }),
          }),
        })
        opened.push(() => endpoint.close())
        return endpoint.url
      },
      recordCalls(recording = true) {
        record.clear()
        record.recording = recording
      },
      callsOf: record.of,
      outbox: receivers.outbox,
      meter,
      seed,
      now,
      advance: (ms) => advance(activity, ms),
      async idle(timeoutMs = 60_000) {
        await untilIdle(activity, timeoutMs, isAws)
        if (isAws) timeline.moveTo(now() + maxLagMs)
      },
      warm: functions.warm,
      stop: () => (stopped ??= stop()),
    }

    async function openTables({ tables, eventSources: sources }: Definitions): Promise<DynamoDb> {
      const { region, accountId } = location
      const opening = await openDynamoDb(storage, {
        region,
        accountId,
        now,
        streamFilter: streamFilter(sources),
        lagging: isAws ? randomFor('reads') : undefined,
        throttles: isAws,
      })
      for (const table of tables) await opening.ensureTable(table)
      return opening
    }
  }

  try {
    return await start()
  } catch (error) {
    for (const close of opened.reverse()) await Promise.resolve(close()).catch(() => {})
    throw error
  }
}

function withShorterWindows(definitions: Definitions, maxMs = Infinity): Definitions {
  const eventSources = definitions.eventSources.map((source) => ({
    ...source,
    batchingWindowMs: Math.min(source.batchingWindowMs, maxMs),
  }))
  return { ...definitions, eventSources }
}

function busyParts({ running }: Functions, eventSources: EventSources): string[] {
  return [...(running > 0 ? [`${running} invocations`] : []), ...eventSources.busy()]
}

const asJson = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)))

const logToStderr = (entry: object): void => {
  process.stderr.write(`${JSON.stringify(entry)}\n`)
}
