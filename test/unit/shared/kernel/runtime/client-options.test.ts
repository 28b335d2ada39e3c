import { createServer, type AddressInfo, type Socket } from 'node:net'
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { expect, it, onTestFinished } from 'vitest'
import { clientOptions } from '../../../../../shared/kernel/runtime/client-options.ts'

it('ends a call that is never answered', async () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  await new Promise((resolve) => silent.once('listening', resolve))
  const client = new DynamoDBClient({
    ...clientOptions('dynamodb'),
    maxAttempts: 1,
    retryStrategy: undefined,
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  } as never)
  const begun = performance.now()
  const call = client.send(new GetItemCommand({ TableName: 'none', Key: { pk: { S: 'a' } } }))
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(performance.now() - begun).toBeLessThan(10_000)
}, 20_000)
