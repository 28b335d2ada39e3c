import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { type BotWorld, openBotWorld, secretPart, textOf } from '../../make/services/worlds/bot-world.ts'

let world: BotWorld
beforeAll(async () => {
  world = await openBotWorld()
})
afterAll(() => world?.stop())

describe('an update', () => {
  it('becomes a message with the chat, the sender, the text and the whole update', async () => {
    const [to, chat] = [await world.bot(), world.newChat()]
    await world.happens(to, textOf(chat, 'The printer is on fire'))
    const [message] = await world.ofChat(chat)
    expect(message).toMatchObject({
      channel: 'messenger',
      channel_id: to.id,
      from_name: 'Ada',
      from_email: null,
      from_id: String(chat.id),
      subject: null,
      body: 'The printer is on fire',
      payload: { update_id: expect.any(Number), message: { chat: { id: chat.id } } },
      attachments: [],
      is_processed: false,
    })
    expect(world.server.webhooks.deliveries.at(-1)).toMatchObject({ status: 200, body: '' })
  })

  it('of any kind is stored, also one that nobody knows yet', async () => {
    const [to, chat] = [await world.bot(), world.newChat()]
    const from = { id: chat.id, first_name: 'Ada' }
    const place = { location: { latitude: 48.2, longitude: 16.4 } }
    const contents = [
      textOf(chat, '', place),
      { callback_query: { id: '77', from, message: { message_id: 1, chat }, data: 'close:4' } },
      { hologram: { chat, depth: 3 } },
    ]
    for (const [index, content] of contents.entries())
      expect((await world.send(world.secretOf(to), JSON.stringify({ update_id: index, ...content }))).status).toBe(200)
    await world.service.cloud.idle()
    expect((await world.ofChat(chat)).map(({ body }) => body)).toEqual(['', 'close:4', ''])
    expect((await world.ofChat(chat))[0].payload.message.location).toEqual(place.location)
    expect(world.server.calls.filter(({ method }) => method === 'answerCallbackQuery')).toMatchObject([
      { token: to.token, parameters: { callback_query_id: '77' } },
    ])
  })

  it('is stored once, however often it comes', async () => {
    const [to, chat] = [await world.bot(), world.newChat()]
    const update = JSON.stringify({ update_id: 9, ...textOf(chat, 'Once') })
    const answers = await Promise.all(Array.from({ length: 5 }, () => world.send(world.secretOf(to), update)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await world.send(world.secretOf(to), update)).status).toBe(200)
    expect(await world.ofChat(chat)).toHaveLength(1)
  })

  it('without the secret is refused, and nothing is stored', async () => {
    const [to, chat] = [await world.bot(), world.newChat()]
    const update = JSON.stringify({ update_id: 9, ...textOf(chat, 'Forged') })
    for (const secret of [undefined, '', `${world.secretOf(to)}x`, world.secretOf(to).replace(/.$/, '!')])
      expect((await world.send(secret, update)).status).toBe(401)
    expect(await world.ofChat(chat)).toEqual([])
  })

  it('that cannot be stored as it is loses only what cannot, and that is said', async () => {
    const [to, chat] = [await world.bot(), world.newChat()]
    const deep = `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`
    const { message } = textOf(chat, 'x'.repeat(200_000))
    const update = `{"update_id":9,"message":{"__proto__":{"y":1},"deep":${deep},${JSON.stringify(message).slice(1)}}`
    expect((await world.send(world.secretOf(to), update)).status).toBe(200)
    const [stored] = await world.ofChat(chat)
    expect(stored.body).toHaveLength(100_000)
    expect(stored.payload.message.text).toHaveLength(200_000)
    expect(stored.payload.cut).toEqual([expect.stringMatching(/__proto__/), expect.stringMatching(/deeper than 32/)])
    for (const odd of ['', 'no json', '[]', '{}']) expect((await world.send(world.secretOf(to), odd)).status).toBe(200)
  })

  it('of a disabled channel is answered, and not stored', async () => {
    const [to, chat] = [await world.bot(), world.newChat()]
    const enable = (is_enabled: boolean) => world.api('PUT', `/api/sys/channels/${to.id}`, { is_enabled })
    await enable(false)
    await world.happens(to, textOf(chat, 'Is anybody there?'))
    expect([world.server.webhooks.deliveries.at(-1)?.status, await world.ofChat(chat)]).toEqual([200, []])
    await enable(true)
    await world.happens(to, textOf(chat, 'Hello?'))
    expect(await world.ofChat(chat)).toHaveLength(1)
  })

  it('of a deleted company is answered, and not stored', async () => {
    const { token: as } = await otherTenant(world.service)
    const { slug } = (await world.api('GET', '/api/user', undefined, as)).body.data.tenant
    const [to, chat] = [await world.bot(as), world.newChat()]
    await world.happens(to, textOf(chat, 'First'))
    expect((await world.api('DELETE', '/api/tenant', { slug }, as)).status).toBe(202)
    await world.happens(to, textOf(chat, 'Second'))
    expect(world.server.webhooks.deliveries.at(-1)?.status).toBe(200)
    expect((await world.api('POST', '/api/tenant/restore', undefined, as)).status).toBe(200)
    expect((await world.ofChat(chat, as)).map(({ body }) => body)).toEqual(['First'])
  })

  it('of a chat that writes to two bots is a message of each', async () => {
    const [one, other, chat] = [await world.bot(), await world.bot(), world.newChat()]
    for (const to of [one, other]) world.server.webhooks.happen(to.token, textOf(chat, `To ${to.name}`), 4711)
    await world.server.webhooks.settled()
    expect(new Set((await world.ofChat(chat)).map(({ channel_id, body }) => [channel_id, body].join()))).toEqual(
      new Set([one, other].map(({ id, name }) => `${id},To ${name}`)),
    )
  })

  it('is of one company', async () => {
    const [to, chat, other] = [await world.bot(), world.newChat(), await otherTenant(world.service)]
    await world.happens(to, textOf(chat, 'Secret'))
    expect(await world.messages(other.token)).toEqual([])
  })
})

describe('on one machine', () => {
  const write = (body: object, headers: object = {}) =>
    fetch(`${world.service.url}/_local/messenger`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }).then(async (answer) => ({ status: answer.status, body: (await answer.json()) as { readonly message?: string } }))

  it('a bot without an address of its own receives what is written at /_local/messenger', async () => {
    expect(await write({ text: 'Too early' })).toMatchObject({ status: 409, body: { code: 'no_webhook' } })
    const user = await userWith(world.service, [])
    const config = { bot_token: '4711:AAE-local' }
    const channel = { name: 'local bot', direction: 'incoming', type: 'messenger', config }
    const { id: channel_id } = (await world.api('POST', '/api/sys/channels', channel)).body.data
    expect((await world.api('POST', '/api/settings/messenger/set-webhook', { channel_id })).status).toBe(200)
    expect(await write({ chat: 77, text: 'Hello' })).toMatchObject({
      status: 200,
      body: { data: { bot: 4711, status: 200 } },
    })
    await write({ chat: 77, text: `/start ${await world.linkCode(user.token)}` })
    await write({ update: { callback_query: { id: '1', from: { id: 77, first_name: 'Ada' }, data: 'ok' } } })
    await world.service.cloud.idle()
    expect((await world.ofChat({ id: 77 })).map(({ body }) => body.slice(0, 6))).toEqual(['Hello', '/start', 'ok'])
    expect(await world.isLinked(user.token)).toBe(true)
    const [told] = world.service.cloud.outbox.list({ type: 'messenger', to: '77' })
    expect(told).toMatchObject({ from: 'bot 4711', text: expect.stringContaining('Linked') })
  })

  it('only this machine and no page of another site writes to it', async () => {
    expect((await write({ text: 'x' }, { 'content-type': 'text/plain' })).status).toBe(405)
    expect((await write({ txt: 'x' })).status).toBe(422)
    expect((await write({ bot: 12, text: 'x' })).body.message).toContain('have: 4711')
  })
})

it('neither the secret nor the token of a bot is in a log', async () => {
  const secret = world.secretOf(await world.bot())
  expect(world.logged.filter((line) => line.includes(secretPart) || line.includes(secret))).toEqual([])
})
