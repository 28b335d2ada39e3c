/**
 * The behaviour of DynamoDB that the service relies on, tested on the embedded one through the AWS SDK: in process,
 * as local functions call it; over HTTP, where everything is serialized; and on AWS itself if an account is
 * configured.
 */
import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe } from 'vitest'
import { onAws, openAwsFixture } from './dynamodb/aws.ts'
import { documentClientCases } from './dynamodb/document-client.ts'
import { durabilityCases } from './dynamodb/durability/durability.ts'
import { type Fixture, type Transport, openFixture } from './dynamodb/fixture.ts'
import { isolationCases } from './dynamodb/isolation.ts'
import { itemCases } from './dynamodb/items.ts'
import { managementCases } from './dynamodb/management.ts'
import { oracleCases } from './dynamodb/oracle.ts'
import { queryCases } from './dynamodb/queries.ts'
import { replacingPutCases } from './dynamodb/replacing-puts.ts'
import { streamCases } from './dynamodb/streams.ts'
import { mainTable, oddKeysTable, plainTable, slotsTable } from './dynamodb/tables.ts'
import { transactionCases } from './dynamodb/transactions.ts'
import { updateCases } from './dynamodb/updates.ts'

describe.each<Transport>(['in process', 'over HTTP'])('DynamoDB %s', (transport) => {
  let opened: Fixture
  const fixture = (): Fixture => opened

  beforeAll(async () => {
    opened = await openFixture(transport)
    for (const table of [mainTable, plainTable, oddKeysTable, slotsTable])
      await opened.client.send(new CreateTableCommand(table))
  })
  afterAll(() => opened.close())

  describe('items', () => {
    itemCases(fixture)
  })
  describe('the document client', () => {
    documentClientCases(fixture)
  })
  describe('updates and conditions', () => {
    updateCases(fixture)
  })
  describe('queries and scans', () => {
    queryCases(fixture)
  })
  describe('transactions', () => {
    transactionCases(fixture)
  })
  describe('streams and time to live', () => {
    streamCases(fixture)
  })
  describe('management and faults', () => {
    managementCases(fixture)
  })
})

describe.skipIf(!onAws)('DynamoDB of AWS (AWS_CONTRACT=1 with credentials and a region; it costs cents)', () => {
  let opened: Fixture | undefined
  const fixture = (): Fixture => opened as Fixture

  beforeAll(async () => {
    opened = await openAwsFixture()
  }, 600_000)
  afterAll(() => opened?.close(), 600_000)

  // AWS updates indexes a moment after their items, hence the retries.
  describe('items', { retry: 3, timeout: 120_000 }, () => {
    itemCases(fixture)
  })
  describe('the document client', { retry: 3, timeout: 120_000 }, () => {
    documentClientCases(fixture)
  })
  describe('updates and conditions', { retry: 3, timeout: 120_000 }, () => {
    updateCases(fixture)
  })
  describe('queries and scans', { retry: 3, timeout: 120_000 }, () => {
    queryCases(fixture)
  })
  describe('transactions', { retry: 3, timeout: 120_000 }, () => {
    transactionCases(fixture)
  })
})

describe('DynamoDB on disk', () => {
  describe('durability', () => {
    durabilityCases()
  })
  describe('isolation', () => {
    isolationCases()
  })
  describe('puts that replace', () => {
    replacingPutCases()
  })
  describe('against an oracle', () => {
    oracleCases()
  })
})
