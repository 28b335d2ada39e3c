/** The table of a local service, for a tool beside it: through the running process, which owns the data, or opened by itself. */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDynamoDb } from '../dynamodb/open.ts'
import { serveHttp } from '../dynamodb/serve-http.ts'
import { openStorage } from './storage.ts'

/** What a running service writes into its data directory: where its DynamoDB and its API are reached on this machine. */
const endpointFile = 'endpoint.json'
export interface LocalEndpoint {
  readonly dynamodb: string
  readonly url: string
}

/** Tells tools beside this process where it is reached; only its own user may read that, for the address opens the table. */
export const publishEndpoint = (directory: string, endpoint: LocalEndpoint): Promise<void> =>
  writeFile(join(directory, endpointFile), `${JSON.stringify(endpoint)}\n`, { mode: 0o600 })

export interface LocalTable {
  /** Speaks DynamoDB; takes any credentials. */
  readonly endpoint: string
  /** Address of the API, when the service runs. */
  readonly url: string | undefined
  close(): Promise<void>
}

/** Rejects with one line an operator can act on. */
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

/** Where the service on this data directory is reached; undefined when none runs. */
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

/** A service that was killed leaves its file behind. */
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
