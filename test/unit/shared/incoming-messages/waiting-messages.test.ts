import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  changeMessage,
  findMessageHead,
  type MessageHead,
  storeMessage,
  waitingMessages,
} from '../../../../shared/incoming-messages/service.ts'
import { clock } from '../../../../shared/kernel/clock.ts'
import { openSingleTable, type SingleTable } from '../../../make/services/single-table.ts'

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
const positions = async (message: MessageHead) =>
  (await waitingMessages(table.store, tenant, message)).map(({ position }) => position)

it('are those of the conversation that come before a message and have not been dealt with, in order, and the message', async () => {
  const [fourth, first, third, second] = [await arrive(4), await arrive(1), await arrive(3), await arrive(2)]
  await arrive(1, 'chat 8')
  expect(await positions(fourth)).toEqual([1, 2, 3, 4])
  expect(await positions(second)).toEqual([1, 2])
  await table.store.write(tenant, changeMessage(tenant, first, { isWaiting: false }))
  expect(await positions(third)).toEqual([2, 3])
})
