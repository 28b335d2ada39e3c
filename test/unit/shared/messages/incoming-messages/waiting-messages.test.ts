import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clock } from '../../../../../shared/kernel/time/clock.ts'
import { findMessageHead } from '../../../../../shared/messages/incoming-messages/find-message.ts'
import type { MessageHead } from '../../../../../shared/messages/incoming-messages/message.ts'
import { changeMessage, putToWait } from '../../../../../shared/messages/incoming-messages/receive/save-message.ts'
import { storeMessage } from '../../../../../shared/messages/incoming-messages/receive/store-message.ts'
import { waitingMessages } from '../../../../../shared/messages/incoming-messages/waiting-messages.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const tenant = { id: 1 }
let table: SingleTable
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

async function arrive(position: number, conversation = 'chat 7'): Promise<MessageHead> {
  const stored = await storeMessage({ store: table.store, clock, putObject: async () => {} }, tenant, {
    channel: 'messenger',
    channelId: 0,
    fromName: null,
    fromEmail: null,
    fromId: '7',
    subject: null,
    body: String(position),
    payload: {},
    attachments: [],
    receivedAtMs: clock.now(),
    conversation,
    position,
  })
  return (await findMessageHead(table.store, tenant, (stored as { id: number }).id)) as MessageHead
}
async function positions(message: MessageHead, store: Parameters<typeof waitingMessages>[0] = table.store) {
  const found: number[] = []
  for await (const { position } of waitingMessages(store, tenant, message)) found.push(position)
  return found
}
const change = (message: MessageHead, given: Parameters<typeof changeMessage>[2]) =>
  table.store.write(tenant, changeMessage(tenant, message, given))

it('are those of the conversation that come before a message and have not been dealt with, in order', async () => {
  const [fourth, first, third, second] = [await arrive(4), await arrive(1), await arrive(3), await arrive(2)]
  await arrive(1, 'chat 8')
  expect(await positions(fourth)).toEqual([1, 2, 3])
  expect(await positions(second)).toEqual([1])
  await change(first, { isWaiting: false })
  expect(await positions(third)).toEqual([2])
})

it('are in the order of their ids where they have the same position', async () => {
  const [first, second] = [await arrive(1, 'chat 9'), await arrive(1, 'chat 9')]
  expect([await positions(first), await positions(second)]).toEqual([[], [1]])
})

it('are without those that were given up, until these wait again', async () => {
  const [first, second] = [await arrive(1, 'chat 10'), await arrive(2, 'chat 10')]
  await change(first, { isGivenUp: true })
  const given = (await findMessageHead(table.store, tenant, first.id)) as MessageHead
  expect(given).toMatchObject({ isWaiting: true, isGivenUp: true })
  expect(await positions(second)).toEqual([])
  await table.store.write(tenant, putToWait(tenant, given, clock.now()))
  expect(await positions(second)).toEqual([1])
})

describe('of a backlog', () => {
  const size = 60
  let reads = { keys: 0, rows: 0 }
  /** The store of the table, with a count of what is read of indexes and of rows. */
  const counting = (): Parameters<typeof waitingMessages>[0] => ({
    async query(scope, range) {
      const page = await table.store.query(scope, range)
      reads.keys += page.items.length
      return page
    },
    async getMany(scope, keys) {
      reads.rows += keys.length
      return table.store.getMany(scope, keys)
    },
  })
  const backlog: MessageHead[] = []
  beforeAll(async () => {
    for (let position = 0; position < size; position += 1) backlog.push(await arrive(position, 'burst'))
  })
  beforeEach(() => {
    reads = { keys: 0, rows: 0 }
  })

  it('are read up to the message only: one key for the oldest', async () => {
    expect(await positions(backlog[0] as MessageHead, counting())).toEqual([])
    expect(reads).toEqual({ keys: 1, rows: 0 })
  })

  it('are read no further than somebody deals with them', async () => {
    for await (const { position } of waitingMessages(counting(), tenant, backlog.at(-1) as MessageHead))
      if (position === 1) break
    expect(reads).toEqual({ keys: 25, rows: 25 })
  })

  it('are all of them for the newest, each read once', async () => {
    expect(await positions(backlog.at(-1) as MessageHead, counting())).toEqual(
      Array.from({ length: size - 1 }, (_, n) => n),
    )
    expect(reads).toEqual({ keys: size, rows: size - 1 })
  })

  it.each([
    ['in order', (all: MessageHead[]) => all],
    ['the newest first', (all: MessageHead[]) => all.toReversed()],
  ])('cost one key each when they are dealt with %s', async (_, order) => {
    const burst: MessageHead[] = []
    for (let position = 0; position < 30; position += 1) burst.push(await arrive(position, `burst ${_}`))
    const dealt: number[] = []
    for (const { id } of order(burst)) {
      const message = (await findMessageHead(table.store, tenant, id)) as MessageHead
      if (!message.isWaiting) continue
      for await (const earlier of waitingMessages(counting(), tenant, message)) {
        await change(earlier, { isWaiting: false })
        dealt.push(earlier.position)
      }
      await change(message, { isWaiting: false })
      dealt.push(message.position)
    }
    expect(dealt).toEqual(burst.map(({ position }) => position))
    expect(reads.keys).toBe(30)
  })
})
