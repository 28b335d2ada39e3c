/** A mail server (IMAP) that shows the mailboxes of the local cloud. */
import { createServer, type Socket } from 'node:net'
import { listenOnLoopback, type LoopbackServer } from '../loopback-server.ts'
import { commandReader } from './command-reader.ts'
import { greeting, imapSession } from './imap-session.ts'
import type { Mailboxes } from './mailboxes.ts'

/** Starts to listen on a free port. */
export async function openMailboxServer(mailboxes: Pick<Mailboxes, 'list'>): Promise<LoopbackServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    serve(socket, mailboxes)
  })
  return listenOnLoopback(server, () => sockets.forEach((socket) => socket.destroy()))
}

function serve(socket: Socket, mailboxes: Pick<Mailboxes, 'list'>): void {
  const read = commandReader(() => socket.write('+ Go ahead\r\n'))
  const answer = imapSession(mailboxes)
  let last: Promise<unknown> = Promise.resolve()
  socket.write(greeting)
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const command of read(chunk))
        // Answers keep the order of the commands.
        last = last
          .then(() => answer(command))
          .then((bytes) => (command.name === 'LOGOUT' ? socket.end(bytes) : socket.write(bytes)))
          .catch((error: Error) => socket.destroy(error))
    } catch (error) {
      socket.end(`* BYE ${(error as Error).message}\r\n`)
    }
  })
}
