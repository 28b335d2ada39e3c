import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { channelOfChat, moveBotOfChat, rememberBotOfChat } from '../../../../../shared/messages/messenger/chat-bot.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

let table: SingleTable
let tenants = 0
let tenant: { id: number }
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())
beforeEach(() => {
  tenant = { id: ++tenants }
})

const remember = (channelId: number, wroteAtMs: number, chat = '7') =>
  rememberBotOfChat(table.store, tenant, chat, { channelId, wroteAtMs })
const botOf = (chat = '7') => channelOfChat(table.store, tenant, chat)

it('a chat has the bot by which it wrote last, in whatever order its messages are dealt with', async () => {
  await remember(1, 1000)
  await remember(2, 3000)
  await remember(1, 2000)
  expect(await botOf()).toBe(2)
  await remember(1, 3001)
  expect(await botOf()).toBe(1)
})

it('the first of two messages of the same moment counts, so that a repeat changes nothing', async () => {
  await remember(1, 1000)
  await remember(2, 1000)
  expect(await botOf()).toBe(1)
})

it('a group that got another id keeps its bot, unless it wrote later under the new id', async () => {
  await remember(1, 1000, 'old')
  await moveBotOfChat(table.store, tenant, 'old', 'new')
  expect([await botOf('old'), await botOf('new')]).toEqual([undefined, 1])
  await remember(3, 1000, 'elder')
  await remember(2, 2000, 'new')
  await moveBotOfChat(table.store, tenant, 'elder', 'new')
  expect(await botOf('new')).toBe(2)
})
