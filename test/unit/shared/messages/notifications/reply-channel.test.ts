import { expect, it } from 'vitest'
import type { Channel } from '../../../../../shared/messages/channels/channel.ts'
import { replyChannel } from '../../../../../shared/messages/notifications/reply-channel.ts'
import { objectRow } from '../../../../../shared/platform/store/rows/object-row.ts'
import { testChannel } from '../../../../make/services/worlds/delivery-world.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }
const bot = (id: number, name: string, more: Partial<Channel> = {}): Channel => ({
  ...testChannel,
  id,
  name,
  type: 'messenger',
  direction: 'incoming',
  isDefault: false,
  sealed: { bot_token: 'sealed' },
  ...more,
})
const channels = [
  bot(1, 'desk'),
  bot(2, 'shop'),
  bot(3, 'closed', { isEnabled: false }),
  bot(4, 'news', { direction: 'outgoing', isDefault: true }),
]

const replyThrough = async (
  channel: number | string | null,
  { received, wroteTo }: { readonly received?: number; readonly wroteTo?: number } = {},
) => {
  const rows = channels.map(objectRow)
  const settings = [{ name: 'MESSENGER_BOT_TOKEN', version: 1, doc: { sealed: 'x' } }]
  const list = async (_tenant: object, kind: string, read: (row: never) => unknown) =>
    (kind === 'CHANNEL' ? rows : settings).map((row) => read(row as never))
  const resolved = await replyChannel(
    { config: { list: list as never }, channelOfChat: async () => wroteTo },
    { method: 'replyMessenger', chat_id: '501', text: 'Hi', channel },
    { tenant, ...(received !== undefined && { incomingChannelId: received }) },
  )
  return 'channel' in resolved ? resolved.channel.id : resolved.problem
}

it.each([
  ['the channel that it names', 2, { received: 1, wroteTo: 1 }, 2],
  ['the bot that received the message', null, { received: 2, wroteTo: 1 }, 2],
  ['the bot of the settings that received it', null, { received: 0, wroteTo: 1 }, 0],
  ['the bot by which the chat wrote last', null, { wroteTo: 2 }, 2],
  ['the default when the chat never wrote', null, {}, 4],
  ['the default when the bot of the chat is disabled', null, { wroteTo: 3 }, 4],
  ['the default when the bot of the chat is gone', null, { wroteTo: 9 }, 4],
  ['an outgoing channel that it names', 'news', { received: 1 }, 4],
] as const)('a reply goes through %s', async (_what, channel, source, id) => {
  expect(await replyThrough(channel, source)).toBe(id)
})

it('a reply through a bot that was disabled is not sent by another one', async () => {
  expect(await replyThrough(null, { received: 3 })).toMatch(/channel 3 is disabled; nothing was sent/)
  expect(await replyThrough('closed', { received: 1 })).toMatch(/channel "closed" is disabled; nothing was sent/)
})
