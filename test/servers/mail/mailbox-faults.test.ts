import { afterAll, beforeAll, expect, it } from 'vitest'
import { enumerateFaults, type Operation } from '../../deep/faults/enumerate-faults.ts'
import type { World } from '../../deep/faults/world.ts'
import { pollNow } from '../../make/builders/messages/due-mailbox.ts'
import { type Dovecot, mailboxPassword, startDovecot } from '../support/dovecot.ts'

let dovecot: Dovecot
beforeAll(async () => (dovecot = await startDovecot()))
afterAll(() => dovecot?.close())

const polls = 6

/** Polls as the schedule does, when the lease of a function that died has expired. */
async function pollAgain({ service, drain }: World): Promise<void> {
  // One that fails is repeated by the next.
  await Promise.allSettled([pollNow(service)])
  await drain()
}

/** A mailbox with two equal mails, one with another text, and one that is gone before it is read. */
const poll: Operation = {
  name: 'poll a mailbox',
  among: /mailbox/i,
  async prepare(world, n) {
    const user = `faults${process.pid}x${n}`
    const mail = (text: string): string => `From: ada@example.com\r\nSubject: ${user}\r\n\r\n${text}\r\n`
    for (const text of ['one', 'one', 'two']) dovecot.put(user, mail(text))
    const set = { IMAP_HOST: '127.0.0.1', IMAP_PORT: dovecot.port, IMAP_USERNAME: user, IMAP_PASSWORD: mailboxPassword }
    await world.ask('PUT', '/api/sys/settings', set)
    return {
      models: [],
      async act() {
        await pollAgain(world)
        return async () => {
          for (let left = polls; left > 0; left -= 1) await pollAgain(world)
          dovecot.renumber(user)
          await pollAgain(world)
          const { data } = (await world.ask('GET', '/api/sys/incoming_messages?channel=email&per_page=100')).body
          expect(data.filter((one: any) => one.subject === user)).toHaveLength(3)
        }
      },
    }
  },
}

it('each mail is stored once when any provider call of a poll fails', async () => {
  const outcome = await enumerateFaults(poll, 12)
  expect(outcome.failures).toEqual([])
  expect(outcome.struck).toBeGreaterThan(0)
}, 600_000)
