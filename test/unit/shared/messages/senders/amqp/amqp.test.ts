import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import { amqpSender } from '../../../../../../shared/messages/senders/amqp/amqp.ts'
import { runs } from '../../../../../make/depth.ts'

/* The sender against servers that are no brokers. `test/servers/amqp/amqp.test.ts` has a real one. */

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function listen(greet: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    greet(socket)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `amqp://desk:hunter2@127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Options = Partial<Parameters<typeof amqpSender>[0]> & { readonly key?: string }
const send = (url: string, { key, ...options }: Options = {}) =>
  amqpSender({ clock: { now: () => 0 }, loopbackAllowed: true, timeoutMs: 5000, ...options }).send(
    {
      id: 'msg_1_0',
      tenant: { id: 1, slug: 'acme' },
      recipient: 'orders',
      body: '{}',
      createdAt: '2026-11-20T08:00:00.000Z',
      ...(key !== undefined && { key }),
    },
    { id: 3, name: 'broker', config: { url, exchange: 'orders' }, signingSecrets: [] },
  )

/** What a broker says first, as RabbitMQ does. */
const start = (() => {
  const mechanisms = Buffer.from('PLAIN')
  const locales = Buffer.from('en_US')
  const length = (bytes: number): Buffer => {
    const text = Buffer.alloc(4)
    text.writeUInt32BE(bytes)
    return text
  }
  const method = Buffer.concat([
    Buffer.from([0, 10, 0, 10, 0, 9]),
    length(0),
    length(mechanisms.length),
    mechanisms,
    length(locales.length),
    locales,
  ])
  return Buffer.concat([Buffer.from([1, 0, 0]), length(method.length), method, Buffer.from([0xce])])
})()

it('gives up a server that does not answer, and hangs up', async () => {
  let hungUp: Promise<unknown> | undefined
  const url = await listen((socket) => (hungUp = once(socket.resume(), 'close')))
  expect(await send(url, { timeoutMs: 100 })).toEqual({
    kind: 'failed',
    error: 'The broker did not confirm the message within 0.1 s.',
  })
  await hungUp
})

it('gives up a server that stops in the middle of the login', async () => {
  const url = await listen((socket) => socket.write(start))
  expect(await send(url, { timeoutMs: 100 })).toMatchObject({
    kind: 'failed',
    error: expect.stringContaining('within'),
  })
})

it.each<[string, (socket: Socket) => void]>([
  ['hangs up', (socket) => socket.end()],
  ['speaks HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')],
  ['hangs up on the login', (socket) => socket.write(start, () => socket.once('data', () => socket.end()))],
])('fails when the server %s', async (_what, greet) => {
  const outcome = await send(await listen(greet))
  expect(outcome).toMatchObject({ kind: 'failed' })
  expect(JSON.stringify(outcome)).not.toContain('hunter2')
})

it('fails, whatever bytes a server sends before or after its greeting', async () => {
  let bytes = Buffer.alloc(0)
  const url = await listen((socket) => socket.end(bytes))
  const frame = fc
    .tuple(fc.integer({ min: 1, max: 8 }), fc.uint8Array({ maxLength: 40 }))
    .map(([type, payload]) => Buffer.from([type, 0, 0, 0, 0, 0, payload.length, ...payload, 0xce]))
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(frame, { maxLength: 4 }), fc.uint8Array(), async (greets, frames, rest) => {
      bytes = Buffer.concat([...(greets ? [start] : []), ...frames, rest])
      expect(await send(url)).toMatchObject({ kind: 'failed' })
    }),
    { numRuns: runs(150) },
  )
})

it.each([
  ['http://broker.example.com', undefined, 'The config.url is no address'],
  ['amqp://broker.example.com', 'k'.repeat(256), 'more than 255 bytes'],
  ['amqp://10.0.0.7', undefined, 'not on the public internet'],
  ['amqp://[fd00::1]', undefined, 'not on the public internet'],
])('refuses to send to %s with the key %s', async (url, key, error) => {
  expect(await send(url, { key })).toEqual({ kind: 'refused', by: 'service', error: expect.stringContaining(error) })
})

it('connects to no private address, whatever the name says', async () => {
  let connections = 0
  const url = (await listen(() => (connections += 1))).replace('127.0.0.1', 'localhost')
  const refused = { kind: 'refused', by: 'service', error: expect.stringContaining('not on the public internet') }
  expect(await send(url, { loopbackAllowed: false })).toEqual(refused)
  const resolve = async () => [{ address: '127.0.0.1' }, { address: '10.0.0.7' }]
  expect(await send(url, { resolve })).toEqual(refused)
  expect(connections).toBe(0)
})

it('fails when nothing listens', async () => {
  expect(await send('amqp://desk:hunter2@localhost:1')).toEqual({
    kind: 'failed',
    code: 'ECONNREFUSED',
    error: 'The broker could not be reached: ECONNREFUSED.',
  })
})
