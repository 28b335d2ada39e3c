import { afterAll, beforeAll, expect, it } from 'vitest'
import { runs } from '../../make/depth.ts'
import type { UpdateDelivery } from '../../make/services/servers/bot-webhooks.ts'
import { scriptedBotApi } from '../../make/services/servers/scripted-bot-api.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

const count = runs(2000, 200)
const chats = 40
const share = 0.2

let service: TestService
let server: Awaited<ReturnType<typeof scriptedBotApi>>
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })

/** The same choice for the same update in every run. */
const draw = (id: number): number => ((Math.imul(id, 2_654_435_761) >>> 0) % 1000) / 1000

beforeAll(async () => {
  server = await scriptedBotApi({
    webhooks: {
      backOffMs: 5,
      losesAnswer: ({ update_id }, attempt) => attempt === 1 && draw(update_id) < share,
      delayMs: ({ update_id }) => (draw(update_id + 1) < share ? 30 : 0),
    },
  })
  service = await sharedService()
})
afterAll(async () => {
  await service?.stop()
  await server?.close()
})

const numbers = (messages: readonly { body: string }[]): number[] => messages.map(({ body }) => Number(body))

/** Every message of the messenger, oldest first. */
async function allMessages(): Promise<any[]> {
  const found: any[] = []
  for (let cursor = ''; ;) {
    const { data, meta } = (await api('GET', `/api/sys/incoming_messages?channel=messenger&per_page=1000${cursor}`))
      .body
    found.push(...data)
    if (meta.next_cursor === null) return found.toReversed()
    cursor = `&cursor=${encodeURIComponent(meta.next_cursor)}`
  }
}

it('each of many updates, a fifth sent twice and a fifth late, is stored once, and each chat keeps its order', async () => {
  const config = { bot_token: '4711:AAE-secret', api_base: server.url }
  await api('POST', '/api/sys/channels', { name: 'desk', direction: 'incoming', type: 'messenger', config })
  await api('POST', '/api/settings/messenger/set-webhook')
  for (let n = 0; n < count; n++) {
    const chat = { id: 1 + Math.floor(draw(n) * chats), type: 'private', first_name: 'Ada' }
    server.webhooks.happen('4711:AAE-secret', { message: { message_id: n, chat, from: chat, text: String(n) } })
  }
  await server.webhooks.settled()
  const sent = server.webhooks.deliveries
  expect(sent.length).toBeGreaterThan(count * 1.1)
  expect(sent.filter(({ status, body }: UpdateDelivery) => status !== 200 || body !== '')).toEqual([])

  const stored = await allMessages()
  expect(numbers(stored).toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, n) => n))
  const ofChats = Map.groupBy(stored, ({ from_id }) => from_id as string)
  expect(ofChats.size).toBeGreaterThan(chats / 2)
  for (const messages of ofChats.values())
    expect(numbers(messages)).toEqual(numbers(messages).toSorted((a, b) => a - b))
})
