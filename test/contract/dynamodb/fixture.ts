/** A table store under test, with an AWS SDK client for it, in process or over HTTP. */
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { type DynamoDb, type DynamoDbOptions, openDynamoDb } from '../../../infra/local/dynamodb/open.ts'
import { serveHttp } from '../../../infra/local/dynamodb/serve-http.ts'
import { ServiceError } from '../../../infra/local/dynamodb/service-error.ts'
import { openStorage } from '../../../infra/local/runtime/storage/storage.ts'

export type Transport = 'in process' | 'over HTTP'

export interface Fixture {
  client: DynamoDBClient
  dynamoDb: DynamoDb
  /** Milliseconds; tests may set it. */
  clock: { now: number }
  /** Fault points, which tests may set and must clear. */
  faults: Pick<DynamoDbOptions, 'beforeCall' | 'afterCall'>
  callStreams(operation: string, input: object): Promise<Record<string, unknown>>
  close(): Promise<void>
}

export const settings = { region: 'eu-central-1', accountId: '111122223333', ttlSweepMs: 0 }

const clientConfig = (endpoint: string): DynamoDBClientConfig => ({
  endpoint,
  region: settings.region,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
  // A logger without methods: the client then prepares no log output.
  logger: {} as NonNullable<DynamoDBClientConfig['logger']>,
})

export async function openFixture(transport: Transport, options: Partial<DynamoDbOptions> = {}): Promise<Fixture> {
  const storage = await openStorage(':memory:')
  const clock = { now: Date.now() }
  const faults: Fixture['faults'] = {}
  const dynamoDb = await openDynamoDb(storage, {
    ...settings,
    now: () => clock.now,
    beforeCall: (operation, input) => faults.beforeCall?.(operation, input),
    afterCall: (operation, input, output) => faults.afterCall?.(operation, input, output),
    ...options,
  })
  const endpoint = transport === 'over HTTP' ? await serveHttp(dynamoDb) : undefined
  const client = endpoint
    ? new DynamoDBClient(clientConfig(endpoint.url))
    : new DynamoDBClient({ ...clientConfig('http://in-process'), requestHandler: inProcess(dynamoDb) })
  return {
    client,
    dynamoDb,
    clock,
    faults,
    callStreams: (operation, input) =>
      endpoint ? postStreams(endpoint.url, operation, input) : asRecord(dynamoDb.callStreams(operation, input)),
    async close() {
      client.destroy()
      await endpoint?.close()
      await dynamoDb.close()
      await storage.close()
    },
  }
}

/** A request handler for the SDK that calls the table store. */
function inProcess(dynamoDb: DynamoDb) {
  const answer = (statusCode: number, body: object) => ({
    response: {
      statusCode,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: Buffer.from(JSON.stringify(body)),
    },
  })
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request: { headers: Record<string, string>; body?: unknown }) {
      const operation = request.headers['x-amz-target']!.split('.')[1]!
      try {
        return answer(200, await dynamoDb.call(operation, JSON.parse(textOf(request.body as Uint8Array)) as object))
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        return answer(error.statusCode, error.body)
      }
    },
    destroy() {},
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  }
}

/** Calling toString on the SDK's body logs a warning. */
const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString()

/** Speaks the wire protocol, because the SDK's client for Streams is not installed. */
async function postStreams(url: string, operation: string, input: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `DynamoDBStreams_20120810.${operation}` },
    body: JSON.stringify(input),
  })
  const body = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new ServiceError(response.status, body as ServiceError['body'])
  return body
}

async function asRecord(answer: Promise<object>): Promise<Record<string, unknown>> {
  return { ...(await answer) }
}
