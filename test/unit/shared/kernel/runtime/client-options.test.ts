import { createServer, type AddressInfo, type Socket } from 'node:net'
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { expect, it, onTestFinished } from 'vitest'
import { clientOptions } from '../../../../../shared/kernel/runtime/client-options.ts'

it('ends a call that is never answered', async () => {
  const { requestHandler, ...options } = clientOptions('dynamodb')
  expect(requestHandler).toEqual({ connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true })
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  await new Promise((resolve) => silent.once('listening', resolve))
  const client = new DynamoDBClient({
    ...options,
    // The same in less time.
    requestHandler: { ...(requestHandler as object), requestTimeout: 200 },
    maxAttempts: 1,
    retryStrategy: undefined,
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  } as never)
  const call = client.send(new GetItemCommand({ TableName: 'none', Key: { pk: { S: 'a' } } }))
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' })
})
