import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newUser } from '../../../../../../shared/accounts/people/new-user.ts'
import { findUser, userItem } from '../../../../../../shared/accounts/people/user.ts'
import { findMessage, findMessageHead } from '../../../../../../shared/messages/incoming-messages/find-message.ts'
import type { IncomingMessage, MessageHead } from '../../../../../../shared/messages/incoming-messages/message.ts'
import { attachFiles } from '../../../../../../shared/messages/incoming-messages/receive/attach-files.ts'
import { changeMessage, noteOutcome } from '../../../../../../shared/messages/incoming-messages/receive/save-message.ts'
import { storeMessage } from '../../../../../../shared/messages/incoming-messages/receive/store-message.ts'
import {
  prepareMessengerMessage,
  type PreparingDependencies,
} from '../../../../../../shared/messages/messenger/incoming/prepare-message.ts'
import { makeCode } from '../../../../../../shared/messages/messenger/link-chat.ts'
import { createConfig, putConfigRow } from '../../../../../../shared/platform/store/config.ts'
import { tenantKey } from '../../../../../../shared/platform/store/keys/auth.ts'
import { intentKey } from '../../../../../../shared/platform/store/keys/messages/deliveries.ts'
import { objectRow } from '../../../../../../shared/platform/store/rows/object-row.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const clock = frozenClock()
const chat = { id: 7, type: 'private', first_name: 'Ada' }
let table: SingleTable
let tenant: { id: number; slug: string; name: string; configVersion: number }
let tenants = 0

const channel = {
  id: 5,
  name: 'desk',
  type: 'messenger' as const,
  direction: 'incoming' as const,
  isDefault: false,
  isEnabled: true,
  config: {},
  sealed: { bot_token: 'sealed' },
  version: 1,
}

beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())
beforeEach(async () => {
  tenant = { id: ++tenants, slug: 'acme', name: 'Acme', configVersion: 1 }
  const { store } = table
  await store.write(tenant, { put: { ...tenantKey(tenant), kind: 'tenant', config_version: 1 } })
  const by = { userId: 1, at: '2026-11-20T08:00:00.000Z' }
  await store.write(tenant, putConfigRow(tenant, 'CHANNEL', objectRow(channel), null, by))
  const user = newUser(1, { name: 'Ada', email: null }, { roles: [], isActive: true }, by.at)
  await store.write(tenant, { put: userItem(tenant, user) })
})

/** `meanwhile` runs while the Bot API is asked for a file. */
function dependencies(meanwhile: () => Promise<unknown> = async () => {}) {
  const asked: string[] = []
  const said: string[] = []
  const services = {
    store: table.store,
    clock,
    config: createConfig(table.store, clock),
    fetchObject: async () => Buffer.of(),
    putObject: async () => {},
    openChannel: async () => ({ id: 5, name: 'desk', config: { bot_token: '1:abc' } }),
    async callBot(_bot: unknown, method: string) {
      asked.push(method)
      await meanwhile()
      return { isOk: false, status: 400, description: 'gone' }
    },
    prepareReply(_tenant: unknown, _channel: unknown, _chat: unknown, text: string) {
      said.push(text)
      return { put: { ...intentKey(tenant, clock.uuid()), text } }
    },
    fileAddress: () => undefined,
    fetchPublic: () => Promise.reject(new Error('there is no such file')),
  }
  return { services: services as unknown as PreparingDependencies, asked, said }
}

async function arrive(message: object, body = ''): Promise<IncomingMessage> {
  const stored = await storeMessage({ store: table.store, clock, putObject: async () => {} }, tenant, {
    channel: 'messenger',
    channelId: 5,
    fromName: 'Ada',
    fromEmail: null,
    fromId: '7',
    subject: null,
    body,
    payload: { update_id: 1, message: { chat, from: chat, ...message } },
    attachments: [],
    receivedAtMs: clock.now(),
    conversation: 'm5#7',
    position: 1,
  })
  return read((stored as { id: number }).id)
}
const read = async (id: number) =>
  (await findMessage({ store: table.store, fetchObject: async () => Buffer.of() }, tenant, id)) as IncomingMessage
const headOf = async (id: number) => (await findMessageHead(table.store, tenant, id)) as MessageHead

const pressed = {
  actionId: 9,
  action: 'Button',
  kind: 'created',
  record: { model: 'requests', id: 1 },
  at: 'x',
} as const
/** Somebody presses the button of a rule for the message. */
const press = async (id: number) =>
  table.store.transact(tenant, noteOutcome(tenant, await headOf(id), pressed), clock.uuid())
/** Another attempt deals with the message. */
const deal = async (id: number) =>
  table.store.write(tenant, changeMessage(tenant, await headOf(id), { isWaiting: false }))
const repliesIn = async () => (await table.itemsOf(`T#${tenant.id}#`)).filter(({ text }) => text !== undefined)

/** Runs `work` once. */
function once(work: () => Promise<unknown>): () => Promise<unknown> {
  let isDone = false
  return async () => {
    if (isDone) return
    isDone = true
    await work()
  }
}

describe('a message with a file', () => {
  const document = { file_id: 'f', file_name: 'a.pdf', file_size: 3 }

  it('gets it also when a button is pressed for the message while the file is fetched', async () => {
    const { id, ...message } = await arrive({ document })
    const { services, asked } = dependencies(once(() => press(id)))
    const prepared = await prepareMessengerMessage(services, tenant, { id, ...message })
    expect(prepared).toMatchObject({
      kind: 'ready',
      message: { outcomes: [pressed], attachments: [{ name: 'a.pdf' }] },
    })
    expect(await read(id)).toMatchObject({ isWaiting: true, outcomes: [pressed], attachments: [{ name: 'a.pdf' }] })
    expect(asked).toEqual(['getFile'])
  })

  it('keeps the files of an attempt that was faster', async () => {
    const message = await arrive({ document })
    const kept = { name: 'kept.pdf', content_type: 'application/pdf', size: 3, path: null, problem: 'x' }
    const { services } = dependencies(
      once(() => attachFiles({ ...services, store: table.store }, tenant, message, [kept])),
    )
    const prepared = await prepareMessengerMessage(services, tenant, message)
    expect(prepared).toMatchObject({ kind: 'ready', message: { attachments: [kept] } })
  })

  it('is done when another attempt has dealt with it meanwhile', async () => {
    const message = await arrive({ document })
    const { services } = dependencies(once(() => deal(message.id)))
    expect(await prepareMessengerMessage(services, tenant, message)).toEqual({ kind: 'done' })
    expect(await read(message.id)).toMatchObject({ isWaiting: false, attachments: [] })
  })
})

describe('a message that links its chat', () => {
  const start = async () => {
    const { code } = await makeCode({ store: table.store, clock }, tenant, 1)
    return arrive({ text: `/start ${code}` }, `/start ${code}`)
  }

  it('links and answers once also when a button was pressed since it was read', async () => {
    const message = await start()
    await press(message.id)
    const { services } = dependencies()
    expect(await prepareMessengerMessage(services, tenant, message)).toEqual({ kind: 'done' })
    expect(await read(message.id)).toMatchObject({
      isWaiting: false,
      outcomes: [pressed, { action: 'messenger-link', kind: 'ended' }],
    })
    expect((await findUser(table.store, tenant, 1))?.messengerChat).toBe('7')
    expect(await repliesIn()).toMatchObject([{ text: expect.stringContaining('Linked') }])
  })

  it('answers once also when the code is not valid and a button was pressed since it was read', async () => {
    const message = await arrive({ text: `/start ${'a'.repeat(22)}` })
    await press(message.id)
    await prepareMessengerMessage(dependencies().services, tenant, message)
    expect(await read(message.id)).toMatchObject({ isWaiting: false })
    expect(await repliesIn()).toMatchObject([{ text: expect.stringContaining('not valid any more') }])
  })

  it('is left alone when another attempt has dealt with it since it was read', async () => {
    const message = await start()
    await prepareMessengerMessage(dependencies().services, tenant, message)
    await prepareMessengerMessage(dependencies().services, tenant, message)
    expect(await repliesIn()).toHaveLength(1)
    expect((await read(message.id)).outcomes).toHaveLength(1)
  })

  it('is a message like any other when nobody knows its chat', async () => {
    const message = { ...(await start()), fromId: null }
    expect(await prepareMessengerMessage(dependencies().services, tenant, message)).toMatchObject({ kind: 'ready' })
  })
})
