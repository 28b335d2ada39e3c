/**
 * A process to be killed: runs a cloud on the directory given as argument, writes items as fast as it can, and prints
 * the key of each acknowledged one. Each item passes stream, function, FIFO queue and a second function, which stores
 * it as noted. `finish` writes no more, and prints the noted keys once the cloud is idle.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { startLocalCloud } from '../../../infra/local/runtime/cloud.ts'
import { arnOf, streamOf, tinyFunction, tinyMapping, tinyTable } from '../services/tiny-template.ts'

const code = `
import { DynamoDBClient, PutItemCommand } from '${import.meta.resolve('@aws-sdk/client-dynamodb')}'
import { SQSClient, SendMessageCommand } from '${import.meta.resolve('@aws-sdk/client-sqs')}'
const options = (service) => ({ logger: {}, ...globalThis[Symbol.for('process-host')].clientOptions(service) })
const table = new DynamoDBClient(options('dynamodb'))
const queue = new SQSClient(options('sqs'))
export const forward = ({ Records }) => Promise.all(Records.map(({ eventID, dynamodb }) => queue.send(new SendMessageCommand({
  QueueUrl: process.env.QUEUE_URL, MessageBody: dynamodb.Keys.sk.S, MessageGroupId: dynamodb.Keys.sk.S.slice(-1), MessageDeduplicationId: eventID,
}))))
export const note = ({ Records }) => Promise.all(Records.map(({ body }) => table.send(new PutItemCommand({ TableName: 'Table', Item: { pk: { S: 'noted' }, sk: { S: body } } }))))
`

const resources = {
  Table: tinyTable(),
  Queue: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } },
  ForwardFunction: tinyFunction('forward', { Variables: { QUEUE_URL: { Ref: 'Queue' } } }),
  NoteFunction: tinyFunction('note'),
  Stream: tinyMapping('ForwardFunction', streamOf('Table'), {
    FilterCriteria: {
      Filters: [{ Pattern: JSON.stringify({ dynamodb: { NewImage: { kind: { S: ['written'] } } } }) }],
    },
  }),
  Messages: tinyMapping('NoteFunction', arnOf('Queue')),
}

const [directory = '', run = ''] = process.argv.slice(2)
await mkdir(join(directory, 'asset.code'), { recursive: true })
await writeFile(join(directory, 'asset.code', 'index.mjs'), code)
const templateFile = join(directory, 'template.json')
await writeFile(templateFile, JSON.stringify({ Resources: resources }))
const cloud = await startLocalCloud({
  templateFiles: [templateFile],
  assetDirectory: directory,
  port: 0,
  dataDirectory: join(directory, 'data'),
  sync: false,
})
const table = new DynamoDBClient(cloud.clientOptions('dynamodb'))

if (run === 'finish') {
  await cloud.idle()
  const { Items = [] } = await table.send(new ScanCommand({ TableName: 'Table' }))
  console.log(JSON.stringify(Items.filter(({ pk }) => pk!.S === 'noted').map(({ sk }) => sk!.S)))
  await cloud.stop()
} else {
  for (let id = 0; ; id++) {
    const sk = `${run}-${id}`
    await table.send(
      new PutItemCommand({ TableName: 'Table', Item: { pk: { S: 'written' }, sk: { S: sk }, kind: { S: 'written' } } }),
    )
    console.log(sk)
  }
}
