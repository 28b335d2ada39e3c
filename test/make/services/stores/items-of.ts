import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { TestService } from '../service.ts'
import { scanner, type StoredItem } from './single-table.ts'

/** With its default logger the SDK formats every page it reads, which takes longer than reading it. */
const quietLogger = { trace() {}, debug() {}, warn() {} }

/** Reads every item of a service's table whose partition key starts with a prefix; '' reads the whole table. */
export const scannerOf = ({
  cloud,
}: Pick<TestService, 'cloud'>): ((partitionPrefix: string) => Promise<StoredItem[]>) =>
  scanner(
    new DynamoDBClient({ maxAttempts: 1, logger: quietLogger as never, ...cloud.clientOptions('dynamodb') }),
    cloud.tables[0] as string,
  )

/** Every item of a service's table whose partition key starts with the prefix. */
export const itemsOf = (service: Pick<TestService, 'cloud'>, partitionPrefix: string): Promise<StoredItem[]> =>
  scannerOf(service)(partitionPrefix)
