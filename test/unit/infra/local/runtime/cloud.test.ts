import { describe, expect, it } from 'vitest'
import { tinyCloud } from '../../../../make/services/tiny-cloud.ts'
import {
  arnOf,
  streamOf,
  tinyApi,
  tinyFunction,
  tinyMapping,
  tinyTable,
} from '../../../../make/services/tiny-template.ts'

const code = `
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { SQSClient, SendMessageCommand } from '@aws-sdk/client-sqs'

const options = (service) => ({ logger: {}, ...globalThis[Symbol.for('process-host')]?.clientOptions(service) })
const table = new DynamoDBClient(options('dynamodb'))
const queue = new SQSClient(options('sqs'))
const TableName = process.env.TABLE_NAME
const text = (value) => ({ S: String(value) })

export async function things(event) {
  const id = event.pathParameters?.id
  if (event.routeKey.startsWith('PUT')) {
    await table.send(new PutItemCommand({ TableName, Item: { pk: text('thing'), sk: text(id), kind: text('thing'), body: text(event.body) } }))
    return { statusCode: 201 }
  }
  const [thing, seen, worked] = await Promise.all(
    ['thing', 'seen', 'worked'].map((pk) => table.send(new GetItemCommand({ TableName, Key: { pk: text(pk), sk: text(id) } }))),
  )
  return { thing: thing.Item?.body.S, seen: seen.Item?.body.S, worked: worked.Item?.body.S }
}

export async function watch({ Records }) {
  for (const { dynamodb } of Records) {
    const { sk, body } = dynamodb.NewImage
    await table.send(new PutItemCommand({ TableName, Item: { pk: text('seen'), sk, kind: text('seen'), body } }))
    await queue.send(new SendMessageCommand({ QueueUrl: process.env.QUEUE_URL, MessageBody: JSON.stringify({ id: sk.S }) }))
  }
}

export async function work({ Records }) {
  for (const { body } of Records) {
    await table.send(new PutItemCommand({ TableName, Item: { pk: text('worked'), sk: text(JSON.parse(body).id), kind: text('worked'), body: text('yes') } }))
  }
}
`

const resources = {
  Table: tinyTable(),
  Queue: { Type: 'AWS::SQS::Queue' },
  ThingsFunction: tinyFunction('things'),
  WatchFunction: tinyFunction('watch', { Variables: { QUEUE_URL: { Ref: 'Queue' } } }),
  WorkFunction: tinyFunction('work'),
  ...tinyApi({ 'PUT /things/{id}': 'ThingsFunction', 'GET /things/{id}': 'ThingsFunction' }),
  Stream: tinyMapping('WatchFunction', streamOf('Table'), {
    FilterCriteria: { Filters: [{ Pattern: JSON.stringify({ dynamodb: { NewImage: { kind: { S: ['thing'] } } } }) }] },
  }),
  Work: tinyMapping('WorkFunction', arnOf('Queue')),
}

describe('local cloud', () => {
  it('carries a request through function, table, stream and queue', async () => {
    const cloud = await tinyCloud({ resources, code })
    const put = await fetch(`${cloud.url}/things/7`, {
      method: 'PUT',
      body: 'hello',
      headers: { 'content-type': 'text/plain' },
    })
    expect(put.status).toBe(201)
    await cloud.idle()
    const answer = await fetch(`${cloud.url}/things/7`)
    expect(await answer.json()).toEqual({ thing: 'hello', seen: 'hello', worked: 'yes' })
    expect(cloud.logged).toEqual([])
  })
})
