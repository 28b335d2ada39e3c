import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type BotWorld, openBotWorld, textOf } from '../../make/services/worlds/bot-world.ts'

let world: BotWorld
beforeAll(async () => {
  world = await openBotWorld()
})
afterAll(() => world?.stop())

describe('/start with a code', () => {
  it('links the chat, says so by the same bot, and is no work for rules', async () => {
    const [to, chat, user] = [await world.bot(), world.newChat(), await userWith(world.service, [])]
    await world.happens(to, textOf(chat, `/start ${await world.linkCode(user.token)}`))
    expect(await world.isLinked(user.token)).toBe(true)
    expect(await world.answered(chat)).toEqual([expect.stringContaining('Linked')])
    expect(world.server.delivered.at(-1)?.token).toBe(to.token)
    expect(await world.ofChat(chat)).toMatchObject([{ is_processed: true, is_waiting: false, errors: [], records: [] }])
    // What the chat writes from now on is the user's own.
    await world.happens(to, textOf(chat, 'Mine'))
    expect((await world.messages(user.token)).map(({ body }) => body)).toContain('Mine')
  })

  it('that was used or made up says that it is not valid', async () => {
    const [to, chat, user] = [await world.bot(), world.newChat(), await userWith(world.service, [])]
    const code = await world.linkCode(user.token)
    await world.happens(to, textOf(world.newChat(), `/start ${code}`))
    await world.happens(to, textOf(chat, `/start ${code}`), textOf(chat, `/start ${'a'.repeat(22)}`))
    expect(await world.answered(chat, 2)).toEqual(Array(2).fill(expect.stringContaining('not valid any more')))
  })

  it('in a group links nobody', async () => {
    const user = await userWith(world.service, [])
    const [to, group] = [await world.bot(), world.newGroup()]
    await world.happens(to, textOf(group, `/start@desk_bot ${await world.linkCode(user.token)}`))
    expect(await world.answered(group)).toEqual([expect.stringContaining('private chat')])
    expect(await world.isLinked(user.token)).toBe(false)
  })

  it('without a code of ours is a message like any other', async () => {
    const [to, chat] = [await world.bot(), world.newChat()]
    await world.happens(to, textOf(chat, '/start'), textOf(chat, '/start campaign-7'))
    expect(await world.ofChat(chat)).toMatchObject([{ is_processed: false }, { is_processed: false }])
    expect(world.saidTo(chat)).toEqual([])
  })

  it('is undone when the person blocks the bot', async () => {
    const [to, chat, user] = [await world.bot(), world.newChat(), await userWith(world.service, [])]
    await world.happens(to, textOf(chat, `/start ${await world.linkCode(user.token)}`))
    const blocked = { chat, from: chat, old_chat_member: { status: 'member' }, new_chat_member: { status: 'kicked' } }
    await world.happens(to, { my_chat_member: blocked })
    expect(await world.isLinked(user.token)).toBe(false)
  })
})

describe('a file', () => {
  const document = (more: object) => ({ document: { file_id: 'f', file_unique_id: 'u', ...more } })

  it('is fetched, and belongs to the message', async () => {
    const [to, chat] = [await world.bot(), world.newChat()]
    world.server.files.set('pdf-1', { path: 'documents/file_1.txt', bytes: Buffer.from('Invoice 7') })
    const file = document({ file_id: 'pdf-1', file_name: '../../etc/Invoice 7.txt', mime_type: 'text/plain' })
    await world.happens(to, textOf(chat, '', { ...file, caption: 'The invoice' }))
    const [{ body, attachments }] = await world.ofChat(chat)
    expect([body, attachments]).toEqual([
      'The invoice',
      [{ name: expect.not.stringContaining('/'), content_type: 'text/plain', size: 9, path: expect.any(String) }],
    ])
    const download = await world.api('GET', `/api/files?path=${encodeURIComponent(attachments[0].path)}`)
    expect(await (await fetch(download.body.data.url)).text()).toBe('Invoice 7')
  })

  it('of a photo is its largest size', async () => {
    const [to, chat] = [await world.bot(), world.newChat()]
    const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(100)])
    world.server.files.set('large', { path: 'photos/file_2.jpg', bytes: jpeg })
    const photo = [90, 1280, 320].map((width) => ({ file_id: width === 1280 ? 'large' : 'x', width, height: width }))
    await world.happens(to, textOf(chat, '', { photo }))
    expect((await world.ofChat(chat))[0].attachments).toMatchObject([
      { name: 'photo.jpg', content_type: 'image/jpeg', size: 104 },
    ])
  })

  it.each([
    ['is too large', { path: 'a', bytes: Buffer.from(''), size: 21 * 1024 * 1024 }, 'larger than 20 MB'],
    ['is gone', undefined, 'invalid file_id'],
    ['leads elsewhere', { path: '../../sendMessage?chat_id=1', bytes: Buffer.from('') }, 'names no file'],
  ])('that %s leaves the message as it is, and says why', async (_what, file, problem) => {
    const [to, chat] = [await world.bot(), world.newChat()]
    if (file) world.server.files.set('odd', file)
    else world.server.files.delete('odd')
    await world.happens(to, textOf(chat, 'See file', document({ file_id: 'odd', file_name: 'a.bin', file_size: 5 })))
    expect((await world.ofChat(chat))[0]).toMatchObject({
      body: 'See file',
      attachments: [{ name: 'a.bin', size: 5, path: null, problem: expect.stringContaining(problem) }],
    })
  })
})

describe('an answer', () => {
  it('goes through the bot to which the chat wrote last', async () => {
    const [first, last, chat] = [await world.bot(), await world.bot(), world.newChat()]
    await makeTable(world.service, 'answers', [{ name: 'title', type: 'text' }])
    await setHooks(world.service, 'answers', [
      ['after_create', `$api.replyMessenger(${chat.id}, 'Yes: ' + $data.title)`],
    ])
    await world.happens(first, textOf(chat, 'Hello?'))
    await world.happens(last, textOf(chat, 'Anybody?'))
    await world.api('POST', '/api/e/answers', { title: 'here' })
    expect(await world.answered(chat)).toEqual(['Yes: here'])
    expect(world.server.delivered.find((one) => one.chat === String(chat.id))?.token).toBe(last.token)
    await setHooks(world.service, 'answers', [
      ['after_create', `$api.replyMessenger(${chat.id}, 'By name', ${first.id})`],
    ])
    await world.api('POST', '/api/e/answers', { title: 'there' })
    expect(await world.answered(chat, 2)).toContain('By name')
    expect(world.server.delivered.find(({ text }) => text === 'By name')?.token).toBe(first.token)
  })

  it('follows a group that got another id', async () => {
    const [to, chat] = [await world.bot(), world.newGroup()]
    const moved = { id: -1_000_000_000_000 + chat.id, type: 'supergroup', title: 'Team' }
    await world.happens(to, textOf(chat, 'Hello'), textOf(chat, '', { migrate_to_chat_id: moved.id }))
    await setHooks(world.service, 'answers', [['after_create', `$api.replyMessenger(${moved.id}, 'Here, too')`]])
    await world.api('POST', '/api/e/answers', { title: 'x' })
    expect(await world.answered(moved)).toEqual(['Here, too'])
  })

  it('is the only thing that an incoming channel sends', async () => {
    const to = await world.bot()
    const user = await userWith(world.service, [])
    const chat = world.newChat()
    await world.happens(to, textOf(chat, `/start ${await world.linkCode(user.token)}`))
    await world.answered(chat)
    await setHooks(world.service, 'answers', [
      [
        'after_create',
        `$api.sendMessenger('News', [${user.id}], ${to.id}); $api.sendMessenger('News', [${user.id}]);
         $api.sendToChannel(${to.id}, { recipients: [${chat.id}], body: 'News' })`,
      ],
    ])
    const { id } = (await world.api('POST', '/api/e/answers', { title: 'x' })).body.data
    await world.service.cloud.idle()
    const [run] = (await world.api('GET', `/api/sys/script-runs?model=answers&per_page=1`)).body.data
    expect(JSON.stringify(run.log)).toMatch(/is incoming.*no default messenger channel.*is incoming/)
    expect((await world.api('GET', `/api/sys/deliveries?model=answers&record_id=${id}`)).body.data).toEqual([])
  })
})

it('the state of a bot is that of its chat, whether the chat is a number or a text', async () => {
  await makeTable(world.service, 'states', [{ name: 'title', type: 'text' }])
  await setHooks(world.service, 'states', [
    ['before_create', `$api.setBotState(4711, 'asked'); $data.title = $api.getBotState('4711')`],
  ])
  expect((await world.api('POST', '/api/e/states', {})).body.data.data.title).toBe('asked')
})
