import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type BotWorld, openBotWorld, textOf } from '../../make/services/worlds/bot-world.ts'

/* What a chat message comes to: a request by itself, a request by a button, or nothing. */

const rulesPath = '/api/sys/incoming-actions'
let world: BotWorld
let rules: number[] = []

beforeAll(async () => {
  world = await openBotWorld()
  await makeTable(world.service, 'clients', [
    { name: 'name', type: 'text' },
    { name: 'chat', type: 'text' },
  ])
  await makeTable(world.service, 'notes', [{ name: 'title', type: 'text' }])
  await makeTable(world.service, 'requests', [
    { name: 'title', type: 'text', required: true },
    { name: 'client_id', type: 'model_list', target_table: 'clients' },
  ])
})
afterAll(() => world?.stop())
beforeEach(async () => {
  for (const id of rules) await world.api('DELETE', `${rulesPath}/${id}`)
  rules = []
})

async function rule(more: object): Promise<number> {
  const mapping = { target_model: 'requests', field_mapping: { title: 'payload.message.text' } }
  const { body } = await world.api('POST', rulesPath, { name: 'Chats', channel: 'messenger', ...mapping, ...more })
  expect(body).toMatchObject({ success: true })
  rules.push(body.data.id)
  return body.data.id
}
const read = async (path: string) => (await world.api('GET', path)).body.data
const countOfRequests = async () => (await world.api('GET', '/api/e/requests')).body.meta.total as number

it('a chat message becomes a request of the client who sent it, the sender is answered, and its timeline shows both', async () => {
  const [bot, chat] = [await world.bot(), world.newChat()]
  const { data: client } = (await world.api('POST', '/api/e/clients', { name: 'Ada', chat: String(chat.id) })).body
  await rule({
    is_automatic: true,
    script: `
      $client = $api->find('clients', 'chat', $incoming->from_id)
      if ($client) $data->client_id = $client->id
      $api->replyMessenger($incoming->from_id, 'We look at: ' + $data->title)`,
  })

  await world.happens(bot, textOf(chat, 'The lamp is broken'))

  const [message] = await world.ofChat(chat)
  expect(message).toMatchObject({ is_processed: true, errors: [], records: [{ model: 'requests' }] })
  const path = `/api/e/requests/${message.records[0].id}`
  expect((await read(path)).data).toEqual({ title: 'The lamp is broken', client_id: client.id })
  expect(await world.answered(chat)).toEqual(['We look at: The lamp is broken'])
  await world.service.cloud.idle()
  expect((await read(`${path}/timeline`)).map(({ kind, summary }: any) => [kind, summary])).toEqual([
    ['delivery', expect.stringContaining(String(chat.id))],
    ['change', 'Record created by a rule'],
    ['message', 'Chat message from Ada made this record'],
  ])
})

it('what a chat writes about a merged request arrives at the one that it is part of, until it is unmerged', async () => {
  const [bot, chat] = [await world.bot(), world.newChat()]
  const into = (await world.api('POST', '/api/e/requests', { title: 'The lamps of floor 2' })).body.data.id
  await rule({
    is_automatic: true,
    condition: { from_id: String(chat.id) },
    script: `
      $known = $api->getBotState($incoming->from_id)
      $request = $known ? $api->get('requests', Number($known)) : false
      if ($request) {
        $api->update('requests', $request->id, { title: $request->title + ' / ' + $incoming->body })
        return
      }`,
  })
  await world.happens(bot, textOf(chat, 'The lamp is broken'))
  const from = (await world.ofChat(chat))[0].records[0].id as number
  // As a hook does once the request is there.
  await setHooks(world.service, 'notes', [
    ['before_create', `$api.setBotState('${chat.id}', '${from}'); $data.title = 'kept'`],
  ])
  expect((await world.api('POST', '/api/e/notes', {})).status).toBe(201)
  const titleOf = async (id: number) => (await read(`/api/e/requests/${id}`)).data.title

  expect((await world.api('POST', `/api/e/requests/${from}/merge`, { into })).status).toBe(200)
  await world.happens(bot, textOf(chat, 'and the fan'))
  expect([await titleOf(into), await titleOf(from)]).toEqual([
    'The lamps of floor 2 / and the fan',
    'The lamp is broken',
  ])
  await world.service.cloud.idle()
  const messages = (await read(`/api/e/requests/${into}/timeline?kinds=message`)).map(({ summary }: any) => summary)
  expect(messages).toContain('Chat message from Ada made this record')

  expect((await world.api('POST', `/api/e/requests/${from}/unmerge`)).status).toBe(200)
  await world.happens(bot, textOf(chat, 'It is the left one'))
  expect([await titleOf(into), await titleOf(from)]).toEqual([
    'The lamps of floor 2 / and the fan',
    'The lamp is broken / It is the left one',
  ])
  expect(await read(`/api/e/requests/${into}/timeline?kinds=message`)).toEqual([])
})

it('a rule with a button is previewed without any effect, and then makes the request once', async () => {
  const [bot, chat] = [await world.bot(), world.newChat()]
  const id = await rule({
    is_automatic: false,
    button_label: 'Make a request',
    script: `
      $api->create('clients', { name: $incoming->from_name })
      $api->replyMessenger($incoming->from_id, 'We look at it')`,
  })
  await world.happens(bot, textOf(chat, 'A new chair, please'))
  const [message] = await world.ofChat(chat)
  expect(message).toMatchObject({ is_processed: false, records: [] })
  const totals = async () => [await countOfRequests(), (await world.api('GET', '/api/e/clients')).body.meta.total]
  const before = await totals()

  const preview = await world.api('POST', `${rulesPath}/${id}/prepare`, { message_id: message.id })
  expect([preview.status, preview.body.data]).toEqual([200, { title: 'A new chair, please' }])
  expect(preview.body.meta.script).toMatchObject({
    status: 'ok',
    sent: [{ method: 'replyMessenger', text: 'We look at it' }],
    written: [{ action: 'create', model: 'clients' }],
  })
  await world.service.cloud.idle()
  expect(await totals()).toEqual(before)
  expect(world.saidTo(chat)).toEqual([])
  expect((await world.ofChat(chat))[0]).toEqual(message)

  const press = () => world.api('POST', `${rulesPath}/${id}/execute`, { message_id: message.id })
  const [first, second] = [await press(), await press()]
  expect([first.status, first.body.data.data]).toEqual([201, { title: 'A new chair, please' }])
  expect(second.body.data.id).toBe(first.body.data.id)
  expect(await totals()).toEqual(before.map((total) => total + 1))
  expect(await world.answered(chat)).toEqual(['We look at it'])
  expect((await world.ofChat(chat))[0]).toMatchObject({ is_processed: true, records: [{ action_id: id }] })
})

it('a script that returns makes no request, and the message is processed', async () => {
  const [bot, chat] = [await world.bot(), world.newChat()]
  await rule({ is_automatic: true, script: "if ($data->title === 'Thanks!') return" })
  const before = await countOfRequests()
  await world.happens(bot, textOf(chat, 'Thanks!'), textOf(chat, 'Another lamp'))
  expect(await world.ofChat(chat)).toMatchObject([
    { body: 'Thanks!', is_processed: true, is_waiting: false, records: [], errors: [] },
    { body: 'Another lamp', is_processed: true, records: [{ model: 'requests' }] },
  ])
  expect(await countOfRequests()).toBe(before + 1)
})
