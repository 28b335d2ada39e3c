/**
 * How tools reach the table of a local service: through the running process, which owns the data, or by opening the
 * data directory.
 */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDynamoDb } from '../dynamodb/open.ts'
import { serveHttp } from '../dynamodb/serve-http.ts'
import { openStorage } from './storage/storage.ts'

/** Written by a running service into its data directory: the local addresses of its DynamoDB and its API. */
const endpointFile = 'endpoint.json'
export interface LocalEndpoint {
  readonly dynamodb: string
  readonly url: string
}

/** Publishes the addresses to tools. Readable by its user only, because the address contains the secret. */
export const publishEndpoint = (directory: string, endpoint: LocalEndpoint): Promise<void> =>
  writeFile(join(directory, endpointFile), `${JSON.stringify(endpoint)}\n`, { mode: 0o600 })

export interface LocalTable {
  /** Address of a DynamoDB endpoint; accepts any credentials. */
  readonly endpoint: string
  /** Address of the API, if the service runs. */
  readonly url: string | undefined
  close(): Promise<void>
}

/** Rejects with a one-line message for the operator. */
export async function openLocalTable(directory: string): Promise<LocalTable> {
  const running = await findRunningService(directory)
  if (running) return { endpoint: running.dynamodb, url: running.url, close: async () => {} }
  const storeDirectory = join(directory, 'store')
  if (!existsSync(storeDirectory))
    throw new Error(`There is no service in ${directory} yet: run npm start first, or set DATA_DIR.`)
  const storage = await openStorage(storeDirectory)
  const dynamoDb = await openDynamoDb(storage, { region: 'us-east-1', accountId: '000000000000', ttlSweepMs: 0 })
  const { url, close } = await serveHttp(dynamoDb)
  return {
    endpoint: url,
    url: undefined,
    async close() {
      await close()
      await dynamoDb.close()
      await storage.close()
    },
  }
}

/** The addresses of the service on this data directory; undefined when none runs. */
export async function findRunningService(directory: string): Promise<LocalEndpoint | undefined> {
  const published = await readEndpoint(directory)
  return published && (await answers(published.dynamodb)) ? published : undefined
}

async function readEndpoint(directory: string): Promise<LocalEndpoint | undefined> {
  const text = await readFile(join(directory, endpointFile), 'utf8').catch(() => undefined)
  try {
    return text === undefined ? undefined : (JSON.parse(text) as LocalEndpoint)
  } catch {
    return undefined
  }
}

/** A killed service leaves its endpoint file behind. */
async function answers(endpoint: string): Promise<boolean> {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: { 'x-amz-target': 'DynamoDB_20120810.ListTables', 'content-type': 'application/x-amz-json-1.0' },
    body: '{}',
    signal: AbortSignal.timeout(2_000),
  }).catch(() => undefined)
  const body: unknown = await answer?.json().catch(() => undefined)
  return typeof body === 'object' && body !== null && 'TableNames' in body
}
