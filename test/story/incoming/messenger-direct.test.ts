import { afterAll, beforeAll, expect, it } from 'vitest'
import { scriptedBotApi } from '../../make/services/servers/scripted-bot-api.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
let server: Awaited<ReturnType<typeof scriptedBotApi>>
const token = '4711:AAE-secret'
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })

beforeAll(async () => {
  server = await scriptedBotApi()
  service = await startService({ parameters: { MessengerDirect: 'true' }, log: () => {} })
})
afterAll(async () => {
  await service?.stop()
  await server?.close()
})

it('with MESSENGER_DIRECT the Bot API calls the address of the function, past the API', async () => {
  const config = { bot_token: token, api_base: server.url }
  await api('POST', '/api/sys/channels', { name: 'desk', direction: 'incoming', type: 'messenger', config })
  const { url } = (await api('POST', '/api/settings/messenger/set-webhook')).body.data
  expect(url).toMatch(/\/api\/messenger\/webhook$/)
  expect(url).not.toBe(`${service.url}/api/messenger/webhook`)
  const chat = { id: 7, type: 'private', first_name: 'Ada' }
  server.webhooks.happen(token, { message: { message_id: 1, chat, from: chat, text: 'Directly' } })
  await server.webhooks.settled()
  expect(server.webhooks.deliveries).toMatchObject([{ status: 200, body: '' }])
  expect((await api('GET', '/api/sys/incoming_messages')).body.data).toMatchObject([{ body: 'Directly', from_id: '7' }])
  expect((await fetch(url, { method: 'POST', body: '{"update_id":1}' })).status).toBe(401)
})
