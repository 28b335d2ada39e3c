import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

export interface CuttingRelay {
  readonly port: number
  /** Each connection ends after the server has said so much. */
  bytes: number
  close(): void
}

/** Relays connections to a port of this machine and cuts them. `byteByByteAfter`: what follows comes slowly. */
export async function cutAfter(
  port: number,
  { byteByByteAfter = Infinity }: { readonly byteByByteAfter?: number } = {},
): Promise<CuttingRelay> {
  const sockets: Socket[] = []
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    let said = 0
    sockets.push(client)
    client.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes) => {
      const passed = bytes.subarray(0, Math.max(0, relay.bytes - said))
      said += bytes.length
      if (said > byteByByteAfter) {
        // The rest of a slow server never comes in a test's time.
        upstream.pause()
        const dripping = setInterval(() => client.write('x'), 50)
        client.on('close', () => clearInterval(dripping))
        return
      }
      client.write(passed)
      if (said >= relay.bytes) client.destroySoon()
    })
    client.on('error', () => undefined).on('close', () => upstream.destroy())
    upstream.on('error', () => undefined).on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const relay: CuttingRelay = {
    port: (server.address() as AddressInfo).port,
    bytes: Infinity,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
  return relay
}
