import { expect } from 'vitest'
import { clock } from '../../../../shared/kernel/time/clock.ts'
import { makeBotSecret } from '../../../../shared/messages/messenger/incoming/bot-secret.ts'
import { beginRegistration } from '../../../../shared/messages/messenger/incoming/webhook-registration.ts'
import { trailEvent } from '../../../../shared/platform/trail/trail-event.ts'
import type { Operation } from '../enumerate-faults.ts'
import type { World } from '../world.ts'

const tenant = { id: 1 }

/** An incoming channel that is registered, and what the Bot API calls it with. */
async function registered({ service, ask }: World, n: number) {
  const config = { bot_token: `${n}:AAE-bot` }
  const channel = { name: `bot ${n}`, direction: 'incoming', type: 'messenger', config }
  const { id } = (await ask('POST', '/api/sys/channels', channel)).body.data
  const secret = makeBotSecret(clock, id)
  const bot = { tenant, channelId: id, botId: String(n) }
  const event = trailEvent(clock, tenant, { userId: 1 }, { action: 'update', model: 'sys_channels', id })
  await (await beginRegistration({ store: service.store, clock }, bot, secret)).taken(event)
  const send = (update: object) =>
    ask('POST', '/api/messenger/webhook', update, { 'x-telegram-bot-api-secret-token': secret })
  return { id: id as number, send }
}

const messagesOf = async ({ service }: World, channelId: number): Promise<any[]> =>
  (await service.api('GET', '/api/sys/incoming_messages?per_page=1000', service.admin)).body.data.filter(
    (one: any) => one.channel_id === channelId,
  )

/** The Bot API sends a message with a file, and repeats it until it is answered. */
export const receiveUpdate: Operation = {
  name: 'update of a bot',
  among: /Inbound|IncomingRules|FanOut/,
  async prepare(world, n) {
    const { id, send } = await registered(world, n)
    const chat = { id: 1000 + n, type: 'private', first_name: 'Ada' }
    // The Bot API of this cloud has no files.
    const document = { file_id: 'gone', file_name: 'a.pdf' }
    const update = { update_id: 7, message: { message_id: 1, chat, from: chat, caption: `See ${n}`, document } }
    return {
      models: [],
      async act() {
        const [first, again] = [await send(update), await send(update)]
        return async () => {
          expect([first.status, again.status]).toEqual([200, 200])
          expect(await messagesOf(world, id)).toMatchObject([
            { body: `See ${n}`, attachments: [{ name: 'a.pdf', path: null, problem: expect.any(String) }] },
          ])
        }
      },
      interfere: () => send(update),
    }
  },
}

/** Somebody links a chat: the user has it, and the chat is told once. */
export const linkByMessage: Operation = {
  name: 'link of a chat',
  among: /Inbound|IncomingRules|FanOut/,
  async prepare(world, n) {
    const { ask, service } = world
    const { id, send } = await registered(world, n)
    const chat = { id: 1000 + n, type: 'private', first_name: 'Ada' }
    const { code } = (await ask('POST', '/api/user/messenger-link')).body.data
    const update = { update_id: 7, message: { message_id: 1, chat, from: chat, text: `/start ${code}` } }
    return {
      models: [],
      async act() {
        await send(update)
        return async () => {
          expect(await messagesOf(world, id)).toMatchObject([{ is_processed: true, is_waiting: false }])
          expect((await ask('GET', '/api/user')).body.data.messenger_linked).toBe(true)
          const told = service.cloud.outbox.list({ type: 'messenger', to: String(chat.id) })
          expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('Linked')])
        }
      },
    }
  },
}
