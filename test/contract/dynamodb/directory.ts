import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DynamoDb, type DynamoDbOptions, openDynamoDb } from '../../../infra/local/dynamodb/open.ts'
import { type Storage, openStorage } from '../../../infra/local/runtime/storage/storage.ts'
import { settings } from './fixture.ts'

/** Runs `work` with a temporary directory. */
export async function inDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'dynamodb-contract-'))
  try {
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Opens the table store on a directory (or in memory) while `work` runs, like one run of a process. */
export async function run<T>(
  directory: string,
  work: (dynamoDb: DynamoDb, storage: Storage) => Promise<T>,
  options: Partial<DynamoDbOptions> = {},
): Promise<T> {
  const storage = await openStorage(directory)
  const dynamoDb = await openDynamoDb(storage, { ...settings, ...options })
  try {
    return await work(dynamoDb, storage)
  } finally {
    await dynamoDb.close()
    await storage.close()
  }
}
