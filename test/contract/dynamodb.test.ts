/**
 * What the service may rely on in DynamoDB, checked against the embedded one through the AWS SDK:
 * in process, as functions reach it locally, and over HTTP, where nothing unserialisable passes.
 */
import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe } from 'vitest'
import { durabilityCases } from './dynamodb/durability.ts'
import { type Fixture, type Transport, openFixture } from './dynamodb/fixture.ts'
import { isolationCases } from './dynamodb/isolation.ts'
import { itemCases } from './dynamodb/items.ts'
import { managementCases } from './dynamodb/management.ts'
import { oracleCases } from './dynamodb/oracle.ts'
import { queryCases } from './dynamodb/queries.ts'
import { streamCases } from './dynamodb/streams.ts'
import { mainTable, oddKeysTable, plainTable, slotsTable } from './dynamodb/tables.ts'
import { transactionCases } from './dynamodb/transactions.ts'
import { updateCases } from './dynamodb/updates.ts'

describe.each<Transport>(['in process', 'over HTTP'])('DynamoDB %s', (transport) => {
  let opened: Fixture
  const fixture = (): Fixture => opened

  beforeAll(async () => {
    opened = await openFixture(transport)
    for (const table of [mainTable, plainTable, oddKeysTable, slotsTable]) await opened.client.send(new CreateTableCommand(table))
  })
  afterAll(() => opened.close())

  describe('items', () => { itemCases(fixture) })
  describe('updates and conditions', () => { updateCases(fixture) })
  describe('queries and scans', () => { queryCases(fixture) })
  describe('transactions', () => { transactionCases(fixture) })
  describe('streams and time to live', () => { streamCases(fixture) })
  describe('management and faults', () => { managementCases(fixture) })
})

describe('DynamoDB on disk', () => {
  describe('durability', () => { durabilityCases() })
  describe('isolation', () => { isolationCases() })
  describe('against an oracle', () => { oracleCases() })
})
