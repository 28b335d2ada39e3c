/** A mail server (SMTP) that accepts every mail and delivers none. */
import { createServer, type Socket } from 'node:net'
import type { SMTPServer } from 'smtp-server'
import { mailSent } from '../mail/mail-sent.ts'
import type { Outbox } from '../outbox.ts'
import { listenOnLoopback, type LoopbackServer } from './loopback-server.ts'

const maxBytes = 25 * 1024 * 1024

/** Listens at once; the library is loaded by the first connection, so that a start does not wait for it. */
export async function openMailServer(outbox: Pick<Outbox, 'add'>): Promise<LoopbackServer> {
  const sockets = new Set<Socket>()
  let loading: Promise<SMTPServer> | undefined
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    sockets.add(socket)
    // A client that hangs up while the library loads.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    loading ??= makeServer(outbox)
    loading.then(
      ({ server: smtp }) => {
        smtp.emit('connection', socket)
        socket.resume()
      },
      (error: Error) => socket.destroy(error),
    )
  })
  return listenOnLoopback(server, () => sockets.forEach((socket) => socket.destroy()))
}

async function makeServer(outbox: Pick<Outbox, 'add'>): Promise<SMTPServer> {
  const smtp = await import('smtp-server')
  const server = new smtp.SMTPServer({
    logger: false,
    banner: 'The outbox of the local cloud',
    size: maxBytes,
    // There is no certificate that a sender could trust.
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    onData(stream, { envelope, user }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (stream.sizeExceeded)
          return done(Object.assign(new Error('Message exceeds fixed maximum message size'), { responseCode: 552 }))
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const sent = mailSent({
          provider: 'smtp',
          from,
          to: envelope.rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks),
          meta: { envelope_from: from, ...(user !== undefined && { login: String(user) }) },
        })
        sent.then((mail) => done(null, `OK: kept as ${outbox.add(mail).id}`)).catch(done)
      })
    },
  })
  server.on('error', () => {})
  return server
}
