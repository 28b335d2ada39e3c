import type { AddressInfo, Server } from 'node:net'

/** A server on a free port of this machine. */
export interface LoopbackServer {
  readonly port: number
  /** Ends its connections too. */
  close(): Promise<void>
}

/** Starts to listen on 127.0.0.1. */
export async function listenOnLoopback(server: Server, endConnections: () => void): Promise<LoopbackServer> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        endConnections()
      }),
  }
}
