import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeUser, type UserChanges } from '../../../../../shared/accounts/people/change-user.ts'
import { leaveTenant } from '../../../../../shared/accounts/people/membership/change-membership.ts'
import { changeMessengerChat, freeChat, userOfChat } from '../../../../../shared/accounts/people/messenger-chat.ts'
import { newUser, putNewUser } from '../../../../../shared/accounts/people/new-user.ts'
import {
  findPerson,
  type MembershipRef,
  type Person,
  personItem,
  putChangedPerson,
  putNewPerson,
  rememberTenant,
} from '../../../../../shared/accounts/people/person.ts'
import { findUser, type User, userItem } from '../../../../../shared/accounts/people/user.ts'
import { Invalid } from '../../../../../shared/kernel/failures/faults.ts'
import { emailKey, tenantKey } from '../../../../../shared/platform/store/keys/auth.ts'
import { deploymentWide, type Store } from '../../../../../shared/platform/store/store.ts'
import { commit, StaleRead } from '../../../../../shared/platform/store/writes/commit.ts'
import { ConditionFailed, TransactionRefused } from '../../../../../shared/platform/store/writes/refusals.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { interruptedStore } from '../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const acme = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }
const engines = { id: 2, slug: 'engines', name: 'Engines', configVersion: 1 }
const createdAt = '2026-11-20T08:00:00.000Z'
const clock = frozenClock()
let single: SingleTable
let id = 0
let email: string
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

/** A person with a user of the same id in each tenant. */
async function makePerson(tenants: readonly { id: number }[]): Promise<Person> {
  const person: Person = {
    email,
    emailVerified: true,
    name: 'Ada',
    locale: null,
    passwordHash: null,
    secondFactor: null,
    identities: [],
    memberships: tenants.map((tenant): MembershipRef => ({ tenantId: tenant.id, userId: id })),
    lastTenantId: (tenants[0] as { id: number }).id,
    createdAt,
    version: 1,
  }
  await commit(single.store, deploymentWide, [putNewPerson(person)], clock.uuid())
  for (const tenant of tenants)
    await commit(single.store, tenant, putNewUser(tenant, newUser(id, person, { roles: [] }, createdAt)), clock.uuid())
  return person
}
beforeEach(() => {
  id += 1
  email = `ada${id}@acme.test`
})
const change = (store: Store, tenant: { id: number }, changes: UserChanges) =>
  changeUser({ store, clock }, tenant, id, () => changes)
const user = async (tenant: { id: number }) => (await findUser(single.store, tenant, id)) as User
const faster = (meanwhile: () => Promise<unknown>) => interruptedStore(single, 'TransactWriteItems', meanwhile)

describe('a user', () => {
  it('is never stored over another', async () => {
    await makePerson([acme])
    const again = putNewUser(acme, newUser(id, { name: 'Eve', email: null }, { roles: [] }, createdAt))
    await expect(commit(single.store, acme, again, clock.uuid())).rejects.toThrow(TransactionRefused)
    expect((await user(acme)).name).toBe('Ada')
  })

  it('gets both of two changes at once', async () => {
    await makePerson([acme])
    const store = faster(() => change(single.store, acme, { isActive: false }))
    await change(store, acme, { locale: 'de' })
    expect(await user(acme)).toMatchObject({ isActive: false, locale: 'de', version: 3 })
  })

  it('stays disabled in a tenant when the person is renamed in another at the same time', async () => {
    await makePerson([acme, engines])
    const store = faster(() => change(single.store, engines, { isActive: false }))
    await change(store, acme, { name: 'Ada King' })
    expect(await user(engines)).toMatchObject({ isActive: false, name: 'Ada King' })
  })

  it('gets a free address of two that want it at once, and the other is told', async () => {
    await makePerson([acme])
    const wanted = `countess${id}@acme.test`
    const other = { ...((await findPerson(single.store, email)) as Person), email: wanted }
    const store = faster(() => single.store.write(deploymentWide, { put: personItem(other) }))
    await expect(change(store, acme, { email: wanted })).rejects.toThrow(Invalid)
    expect([(await user(acme)).email, (await findPerson(single.store, email))?.email]).toEqual([email, email])
  })
})

describe('a person', () => {
  it('is never stored over another', async () => {
    const person = await makePerson([acme])
    const again = [putNewPerson({ ...person, name: 'Eve' })]
    await expect(commit(single.store, deploymentWide, again, clock.uuid())).rejects.toThrow(Invalid)
    expect((await findPerson(single.store, email))?.name).toBe('Ada')
  })

  it.each([
    ['renamed', (before: Person) => ({ ...before, name: 'Eve', version: 2 })],
    ['moved to another address', (before: Person) => ({ ...before, email: `eve${before.email}`, version: 2 })],
  ])('is not %s after it has changed', async (_what, changed) => {
    const before = await makePerson([acme])
    await single.store.write(deploymentWide, { put: personItem({ ...before, locale: 'de', version: 2 }) })
    const steps = putChangedPerson(before, changed(before))
    await expect(commit(single.store, deploymentWide, steps, clock.uuid())).rejects.toThrow(StaleRead)
    expect(await findPerson(single.store, email)).toMatchObject({ name: 'Ada', locale: 'de' })
  })

  it('who proves the address does not bring back a tenant that is gone', async () => {
    const before = { ...(await makePerson([{ id: 900 + id }])), emailVerified: false }
    const steps = putChangedPerson(before, { ...before, emailVerified: true, version: 2 })
    await expect(commit(single.store, deploymentWide, steps, clock.uuid())).rejects.toThrow(StaleRead)
    expect(await single.store.get(deploymentWide, tenantKey({ id: 900 + id }))).toBeUndefined()
  })

  it('who has given up an address leaves nothing at it', async () => {
    const person = await makePerson([acme])
    await leaveTenant({ store: single.store, clock }, acme, { id, email })
    expect(await findPerson(single.store, email)).toBeUndefined()
    await expect(single.store.write(deploymentWide, rememberTenant(person, engines))).rejects.toThrow(ConditionFailed)
    expect(await single.store.get(deploymentWide, emailKey(email))).toBeUndefined()
  })

  it('who leaves one tenant and joins another at the same time stays a person of the other', async () => {
    const before = await makePerson([acme])
    const joined = {
      ...before,
      memberships: [...before.memberships, { tenantId: engines.id, userId: 5 }],
      version: 2,
    }
    const store = faster(() => single.store.write(deploymentWide, { put: personItem(joined) }))
    await leaveTenant({ store, clock }, acme, { id, email })
    expect(await findPerson(single.store, email)).toMatchObject({
      memberships: [{ tenantId: engines.id, userId: 5 }],
      lastTenantId: engines.id,
    })
  })

  it('leaves a tenant with the user that the person is there, not with another', async () => {
    await makePerson([acme])
    await leaveTenant({ store: single.store, clock }, acme, { id: id + 1000, email })
    expect((await findPerson(single.store, email))?.memberships).toHaveLength(1)
  })
})

describe('a messenger chat', () => {
  const link = (store: Store, userId: number, chat: string | null) =>
    changeMessengerChat({ store, clock }, acme, userId, () => chat)

  it('has one user, of two who link it at once', async () => {
    await makePerson([acme])
    const [first, second] = [id, id + 1000]
    await single.store.write(acme, { put: userItem(acme, { ...(await user(acme)), id: second }) })
    const chat = `chat ${id}`
    const store = faster(() => link(single.store, second, chat))
    expect(await link(store, first, chat)).toBe('taken')
    expect([await userOfChat(single.store, acme, chat), (await user(acme)).messengerChat]).toEqual([second, null])
  })

  it('is freed by its user only', async () => {
    await makePerson([acme])
    const chat = `chat ${id}`
    expect(await link(single.store, id, chat)).toBe('changed')
    const other = { ...(await user(acme)), id: id + 1000 }
    await expect(commit(single.store, acme, freeChat(acme, other), clock.uuid())).rejects.toThrow(StaleRead)
    expect(await userOfChat(single.store, acme, chat)).toBe(id)
    expect(await link(single.store, id, null)).toBe('changed')
    expect(await userOfChat(single.store, acme, chat)).toBeUndefined()
  })

  it('is not given to a disabled user', async () => {
    await makePerson([acme])
    await change(single.store, acme, { isActive: false })
    expect(await link(single.store, id, `chat ${id}`)).toBe('unchanged')
    expect(await userOfChat(single.store, acme, `chat ${id}`)).toBeUndefined()
  })
})
