import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { expect, test } from 'vitest'
import { refused } from '../../../infra/local/dynamodb/service-error.ts'
import type { Fixture } from './fixture.ts'
import { N, S, failure, key, operationsOn, partition } from './operations.ts'
import { mainTable, slotsTable } from './tables.ts'

/** Tables, time to live settings and fault points. */
export function managementCases(fixture: () => Fixture): void {
  const { put, get, update } = operationsOn(fixture)

  test('describes a table as created, active at once', async () => {
    const { client } = fixture()
    await waitUntilTableExists({ client, minDelay: 1, maxWaitTime: 2 }, { TableName: 'main' })
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'main' }))
    expect(Table).toMatchObject({
      TableArn: 'arn:aws:dynamodb:eu-central-1:111122223333:table/main',
      KeySchema: mainTable.KeySchema,
      StreamSpecification: mainTable.StreamSpecification,
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      CreationDateTime: expect.any(Date) as Date,
    })
    expect(Table!.LatestStreamArn).toMatch(/:table\/main\/stream\/\d{4}-\d\d-\d\dT/)
    expect(Table!.GlobalSecondaryIndexes!.map((index) => index.IndexStatus)).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE'])
  })

  test('callers get copies of a description', () => {
    const { dynamoDb } = fixture()
    dynamoDb.describe('main')!.KeySchema.length = 0
    expect(dynamoDb.describe('main')).toMatchObject({ KeySchema: mainTable.KeySchema })
  })

  test('rejects the creation of an existing table', async () => {
    expect(await failure(fixture().client.send(new CreateTableCommand(slotsTable)))).toMatchObject({
      name: 'ResourceInUseException',
      message: 'Table already exists: slots',
    })
  })

  test('lists tables in pages', async () => {
    const first = await fixture().client.send(new ListTablesCommand({ Limit: 2 }))
    expect(first).toMatchObject({ TableNames: ['main', 'odd-keys'], LastEvaluatedTableName: 'odd-keys' })
    const rest = await fixture().client.send(new ListTablesCommand({ ExclusiveStartTableName: 'odd-keys' }))
    expect(rest).toMatchObject({ TableNames: ['plain', 'slots'] })
    expect(rest.LastEvaluatedTableName).toBeUndefined()
  })

  const base: CreateTableCommandInput = { ...slotsTable, TableName: 'refused' }
  test.each<[what: string, input: CreateTableCommandInput, message: RegExp]>([
    [
      'without a definition for its key',
      { ...base, AttributeDefinitions: [{ AttributeName: 'sk', AttributeType: 'S' }] },
      /Some index key attribute have no definition/,
    ],
    [
      'with an attribute that no key uses',
      { ...base, GlobalSecondaryIndexes: base.GlobalSecondaryIndexes!.slice(1) },
      /Some AttributeDefinitions are not used/,
    ],
    [
      'with 21 global indexes',
      {
        ...base,
        GlobalSecondaryIndexes: [
          ...base.GlobalSecondaryIndexes!,
          { ...base.GlobalSecondaryIndexes![0]!, IndexName: 'one-more' },
        ],
      },
      /limit of 20/,
    ],
    ['with a stream of no known view', { ...base, StreamSpecification: { StreamEnabled: true } }, /StreamViewType/],
    ['with a name that is too short', { ...base, TableName: 'x' }, /at least 3 characters/],
  ])('rejects a table %s', async (_what, input, message) => {
    expect(await failure(fixture().client.send(new CreateTableCommand(input)))).toMatchObject({
      name: 'ValidationException',
      message: expect.stringMatching(message) as string,
    })
  })

  test.each([
    ['get', (TableName: string) => new GetItemCommand({ TableName, Key: key('a') })],
    ['describe', (TableName: string) => new DescribeTableCommand({ TableName })],
    ['time to live of', (TableName: string) => new DescribeTimeToLiveCommand({ TableName })],
  ])('answers ResourceNotFoundException to a %s a table that does not exist', async (_what, command) => {
    expect((await failure(fixture().client.send(command('nowhere') as GetItemCommand))).name).toBe(
      'ResourceNotFoundException',
    )
  })

  test('enables and disables time to live, and rejects a repeated change', async () => {
    const { client } = fixture()
    const set = (Enabled: boolean, AttributeName: string) =>
      client.send(
        new UpdateTimeToLiveCommand({ TableName: 'plain', TimeToLiveSpecification: { Enabled, AttributeName } }),
      )
    const status = async () =>
      (await client.send(new DescribeTimeToLiveCommand({ TableName: 'plain' }))).TimeToLiveDescription
    expect(await status()).toEqual({ TimeToLiveStatus: 'DISABLED' })
    await set(true, 'expires')
    expect(await status()).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' })
    expect((await failure(set(true, 'expires'))).message).toBe('TimeToLive is already enabled')
    expect((await failure(set(false, 'other'))).message).toMatch(/different AttributeName/)
    await set(false, 'expires')
    expect(await status()).toEqual({ TimeToLiveStatus: 'DISABLED' })
  })

  test('covers items written before time to live was enabled', async () => {
    const { client, dynamoDb, clock } = fixture()
    await client.send(
      new PutItemCommand({ TableName: 'plain', Item: { id: S('early'), until: N(Math.floor(clock.now / 1000) - 5) } }),
    )
    const set = (Enabled: boolean) =>
      client.send(
        new UpdateTimeToLiveCommand({
          TableName: 'plain',
          TimeToLiveSpecification: { Enabled, AttributeName: 'until' },
        }),
      )
    await set(true)
    await dynamoDb.sweep()
    expect(
      (await client.send(new GetItemCommand({ TableName: 'plain', Key: { id: S('early') } }))).Item,
    ).toBeUndefined()
    await set(false)
  })

  test('answers an unknown operation with UnknownOperationException', async () => {
    await expect(fixture().dynamoDb.call('ExecuteStatement', {})).rejects.toMatchObject({
      statusCode: 400,
      code: 'UnknownOperationException',
    })
    await expect(fixture().dynamoDb.call('toString', {})).rejects.toMatchObject({ code: 'UnknownOperationException' })
  })

  test('a fault point can throttle a call before it takes effect', async () => {
    const { faults } = fixture()
    const id = key(partition())
    faults.beforeCall = (operation) => {
      if (operation === 'PutItem') throw refused('ProvisionedThroughputExceededException', 'Slow down')
    }
    expect((await failure(put(id))).name).toBe('ProvisionedThroughputExceededException')
    delete faults.beforeCall
    expect(await get(id)).toBeUndefined()
  })

  test('a fault point can lose the answer of a call that took effect', async () => {
    const { faults } = fixture()
    const id = key(partition())
    faults.afterCall = (operation) => {
      if (operation === 'UpdateItem') throw new Error('connection lost')
    }
    await failure(update(id, 'ADD n :one', { ':one': N(1) }))
    delete faults.afterCall
    expect((await get(id))?.n).toEqual(N(1))
  })
}
