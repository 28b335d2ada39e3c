import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

export interface Relay {
  readonly port: number
  /** The connections of clients, in the order in which they were made. */
  readonly sockets: readonly Socket[]
  /** false: what the server says is lost. */
  answersPass: boolean
  close(): void
}

/** Relays connections to a port of this machine, so that a test can watch and cut them. */
export async function relayTo(port: number): Promise<Relay> {
  const sockets: Socket[] = []
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    sockets.push(client)
    client.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes) => relay.answersPass && client.write(bytes))
    client.on('error', () => undefined).on('close', () => upstream.destroy())
    upstream.on('error', () => undefined).on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const relay: Relay = {
    port: (server.address() as AddressInfo).port,
    sockets,
    answersPass: true,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
  return relay
}
