import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eraseUser } from '../../../../../shared/accounts/people/erase-user.ts'
import { newUser } from '../../../../../shared/accounts/people/new-user.ts'
import { findUser, userItem } from '../../../../../shared/accounts/people/user.ts'
import { linkChat, makeCode, unlinkChat, unlinkUser } from '../../../../../shared/messages/messenger/link-chat.ts'
import { messengerChatKey, messengerCodeKey } from '../../../../../shared/platform/store/keys/auth.ts'
import { keyHash } from '../../../../../shared/platform/store/keys/key.ts'
import { frozenClock, type FrozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

let table: SingleTable
let clock: FrozenClock
let tenants = 0
let tenant: { id: number }
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())
beforeEach(async () => {
  clock = frozenClock()
  tenant = { id: ++tenants }
  await Promise.all([1, 2].map((id) => store(id)))
})

const services = () => ({ store: table.store, clock })
const store = (id: number, isActive = true) => {
  const user = newUser(id, { name: `User ${id}`, email: null }, { roles: [], isActive }, '2026-11-20T08:00:00.000Z')
  return table.store.write(tenant, { put: userItem(tenant, user) })
}
const codeFor = async (userId: number) => (await makeCode(services(), tenant, userId)).code
const link = async (userId: number, chat: string) => linkChat(services(), tenant, await codeFor(userId), chat)
const chatOf = async (userId: number) => (await findUser(table.store, tenant, userId))?.messengerChat
const ownerOf = async (chat: string) => (await table.store.get(tenant, messengerChatKey(tenant, chat)))?.user_id

describe('a code', () => {
  it('links one chat, however often it is sent at the same time', async () => {
    const code = await codeFor(1)
    const results = await Promise.all(['10', '11', '12'].map((chat) => linkChat(services(), tenant, code, chat)))
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['linked', 'unknown code', 'unknown code'])
    const chat = await chatOf(1)
    expect(await Promise.all(['10', '11', '12'].map(ownerOf))).toEqual(
      ['10', '11', '12'].map((one) => (one === chat ? 1 : undefined)),
    )
  })

  it('expires after 15 minutes', async () => {
    const [early, late] = [await codeFor(1), await codeFor(1)]
    clock.advance(15 * 60_000 - 1)
    expect(await linkChat(services(), tenant, early, '10')).toMatchObject({ kind: 'linked' })
    clock.advance(1)
    expect(await linkChat(services(), tenant, late, '11')).toEqual({ kind: 'unknown code' })
  })

  it('leaves no row behind once it has expired', async () => {
    const code = await codeFor(1)
    const row = await table.store.get(tenant, messengerCodeKey(tenant, keyHash(code)))
    expect(row).toMatchObject({ expires_at: Math.ceil((clock.now() + 15 * 60_000) / 1000) })
  })

  it('is good in its tenant only, and for an active user only', async () => {
    const code = await codeFor(1)
    expect(await linkChat(services(), { id: 900 }, code, '10')).toEqual({ kind: 'unknown code' })
    await store(1, false)
    expect(await linkChat(services(), tenant, code, '10')).toEqual({ kind: 'unknown code' })
    expect(await ownerOf('10')).toBeUndefined()
  })
})

describe('a chat', () => {
  it('replaces the one before, which is free again', async () => {
    await link(1, '10')
    expect(await link(1, '11')).toEqual({ kind: 'linked', userId: 1 })
    expect([await chatOf(1), await ownerOf('10'), await ownerOf('11')]).toEqual(['11', undefined, 1])
    expect(await link(2, '10')).toMatchObject({ kind: 'linked' })
  })

  it('stays linked when it is linked again', async () => {
    await link(1, '10')
    expect(await link(1, '10')).toEqual({ kind: 'linked', userId: 1 })
    expect([await chatOf(1), await ownerOf('10')]).toEqual(['10', 1])
  })

  it('is not taken from another user, also when both link it at the same time', async () => {
    const results = await Promise.all([link(1, '10'), link(2, '10')])
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['linked', 'taken'])
    const owner = Number(await ownerOf('10'))
    expect([await chatOf(owner), await chatOf(3 - owner)]).toEqual(['10', null])
  })

  it('may belong to a user of each tenant', async () => {
    await link(1, '10')
    const first = tenant
    tenant = { id: ++tenants }
    await store(1)
    await link(1, '10')
    expect(await unlinkChat(services(), first, '10')).toBe(true)
    expect(await chatOf(1)).toBe('10')
  })

  it('is unlinked once, by the user or because it takes no messages', async () => {
    await link(1, '10')
    expect([await unlinkChat(services(), tenant, '10'), await unlinkChat(services(), tenant, '10')]).toEqual([
      true,
      false,
    ])
    await link(1, '10')
    await unlinkUser(services(), tenant, 1)
    await unlinkUser(services(), tenant, 1)
    expect([await chatOf(1), await ownerOf('10')]).toEqual([null, undefined])
  })

  it('is free at once when its user is erased', async () => {
    await link(1, '10')
    const by = { tenant: { ...tenant, slug: 'acme', name: 'Acme', configVersion: 1 }, userId: 2 }
    expect(await eraseUser(services(), by, 1, async () => [])).toBe(true)
    expect([await chatOf(1), await ownerOf('10')]).toEqual([null, undefined])
  })
})
