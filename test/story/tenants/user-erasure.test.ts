import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAccountLink } from '../../../shared/accounts/account-mail/account-link.ts'
import { createInvitation } from '../../../shared/accounts/invitations/create-invitation.ts'
import { createUser } from '../../../shared/accounts/people/create-user.ts'
import { joinTenant } from '../../../shared/accounts/people/membership/change-membership.ts'
import { findPerson } from '../../../shared/accounts/people/person.ts'
import { challengeUser } from '../../../shared/accounts/sign-in/second-factor/challenge.ts'
import { findTenantBySlug } from '../../../shared/accounts/tenants/find-tenant.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { bellKey } from '../../../shared/platform/store/keys/messages/bell.ts'
import { trailEvent } from '../../../shared/platform/trail/trail-event.ts'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { otherTenant } from '../../make/builders/people.ts'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { upload } from '../../make/builders/records/uploads.ts'
import { startService, type TestService } from '../../make/services/service.ts'
import type { StoredItem } from '../../make/services/stores/single-table.ts'
import { everyItem, everyObject } from '../../make/services/stores/whole-store.ts'

const tenant = { id: 1 }
const password = 'sufficiently long 7'
let service: TestService
let count = 0
let name: string
let email: string
let id: number
let token: string

const api = (method: string, path: string, body?: unknown, as = service.admin.token) =>
  service.api(method, path, { token: as, body })
const accounts = () => ({ store: service.store, clock })
const logIn = (more: object = {}) => service.api('POST', '/api/login-local', { body: { email, password, ...more } })
const erase = async (userId = id) => {
  const answer = await api('POST', `/api/sys/users/${userId}/erase`)
  if (answer.status === 202) await finishedJob(service, answer.body.data.job_id)
  return answer
}

/** An item as text, with what is compressed in it. */
const textOf = (item: StoredItem): string =>
  Object.values(item)
    .map((value) => (value instanceof Uint8Array ? unpacked(value) : JSON.stringify(value)))
    .join('\n')
/** Bytes as text, with what is compressed in them. */
const unpacked = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString() + (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes).toString() : '')
const itemsWith = async (word: string): Promise<string[]> =>
  (await everyItem(service)).filter((item) => textOf(item).includes(word)).map(({ pk }) => pk)

beforeAll(async () => {
  service = await startService({ log: () => {}, environment: { SETTLE_MS: '100' } })
  await makeTable(service, 'plans', [
    { name: 'title', type: 'text', searchable: true },
    { name: 'owner_id', type: 'user' },
  ])
  await api('POST', '/api/sys/roles', { name: 'planner', permissions: ['plans.*'] })
  const channel = async (called: string, config: object) =>
    (
      await api('POST', '/api/sys/channels', {
        name: called,
        type: 'email',
        config: { from_address: 'desk@acme.test', ...config },
      })
    ).body.data.id as number
  const works = await channel('works', { transport: 'ses' })
  const closed = { transport: 'smtp', host: '127.0.0.1', port: 1, encryption: 'none', retry_schedule: [0, 3600] }
  const mail = '{ recipients: [$user.email], body: "Hello " + $user.name }'
  const send = (through: number) => `$api.sendToChannel(${through}, ${mail})`
  await setHooks(service, 'plans', [['after_create', `${send(works)}; ${send(await channel('waits', closed))}`]])
})
afterAll(() => service?.stop())

beforeEach(async () => {
  count += 1
  name = `Quaggabert${count} Zebrafish${count}`
  email = `quagga${count}@acme.test`
  id = (await api('POST', '/api/sys/users', { name, email, password, roles: ['planner'] })).body.data.id
  token = (await logIn()).body.token
})

describe('erasing a person', () => {
  it('removes name and address from every item and object, and keeps the deeds', async () => {
    const plan = (await api('POST', '/api/e/plans', { title: 'A plan', owner_id: id }, token)).body.data
    await api('PUT', `/api/sys/users/${id}`, { name: `${name} the Second`, locale: 'de' })
    await createInvitation(accounts(), tenant, { email, roles: ['planner'] })
    await upload(service)
    await createAccountLink(accounts(), 'password_reset', (await findPerson(service.store, email))!)
    await challengeUser(accounts(), { tenant: { ...tenant, slug: 'acme' }, user: { id, email } } as never)
    const bell = { kind: 'notification', v: 1, title: `Hello ${name}`, text: email }
    await service.store.putMany(tenant, [{ ...bellKey(tenant, id, 1), ...bell }])
    // As an earlier release may have written it.
    const old = { action: 'update', model: 'sys_users', id, name: email } as const
    const changes = {
      name: { old: null, new: name },
      email: { old: 'x', new: email },
      is_active: { old: null, new: true },
    }
    await service.store.write(tenant, trailEvent(clock, tenant, { userId: 1 }, { ...old, changes }))
    const exported = await api('POST', '/api/tenant/export')
    await finishedJob(service, exported.body.data.job_id)
    await service.cloud.idle()
    const deliveries = async () => (await api('GET', '/api/sys/deliveries')).body.data
    const [waits, works] = (await deliveries()).toSorted((a: any, b: any) => (a.status < b.status ? 1 : -1))
    expect([waits, works].map((one) => [one.status, one.recipient])).toEqual([
      ['retrying', email],
      ['delivered', email],
    ])
    expect((await itemsWith(email)).length).toBeGreaterThan(3)
    expect(
      [...(await everyObject(service)).keys()].filter((key) => key.startsWith('exports/1/')).length,
    ).toBeGreaterThan(0)

    const { status, body } = await erase()
    expect([status, body.data]).toEqual([202, { job_id: expect.any(Number), kept: expect.stringContaining('typed') }])
    await service.cloud.idle()
    for (const word of [email, name, `Quaggabert${count}`, `Zebrafish${count}`])
      expect([word, await itemsWith(word)]).toEqual([word, []])
    const objects = [...(await everyObject(service))]
    expect(objects.length).toBeGreaterThan(0)
    expect(objects.filter(([, bytes]) => [email, name].some((word) => unpacked(bytes).includes(word)))).toEqual([])
    expect(objects.map(([key]) => key).filter((key) => key.startsWith('exports/'))).toEqual([])

    const shown = (await deliveries()).map((one: any) => [one.id, one.status, one.recipient, one.subject, one.body])
    expect(shown.toSorted((a: any, b: any) => a[0] - b[0])).toEqual(
      [waits, works]
        .toSorted((a, b) => a.id - b.id)
        .map((one) => [
          one.id,
          one === waits ? 'cancelled' : 'delivered',
          `erased-${id}@erased.invalid`,
          '********',
          '********',
        ]),
    )
    expect((await api('POST', `/api/sys/deliveries/${waits.id}/retry`)).body.code).toBe('delivery_ended')

    expect((await api('GET', `/api/sys/users/${id}`)).body.data).toMatchObject({
      name: 'Erased user',
      email: null,
      roles: [],
      is_active: false,
      locale: null,
    })
    expect((await api('GET', `/api/e/plans/${plan.id}`)).body.data).toMatchObject({
      created_by: id,
      data: { owner_id: id },
    })
    const [entry] = (await api('GET', `/api/sys/history/plans/${plan.id}`)).body.data
    expect(JSON.stringify(entry)).toContain('Erased user')
    const events = (await api('GET', `/api/sys/audit?model=sys_users&user_id=1`)).body.data
    const masked = events.find(({ changes: found }: any) => found.email && found.is_active?.new === true)
    expect(masked.changes).toEqual({
      name: { old: null, new: '********' },
      email: { old: '********', new: '********' },
      is_active: { old: null, new: true },
    })
  })

  it('ends the tokens, and frees the address', async () => {
    expect((await api('GET', '/api/user', undefined, token)).status).toBe(200)
    await erase()
    expect((await api('GET', '/api/user', undefined, token)).status).toBe(401)
    expect((await logIn()).status).toBe(401)
    expect((await everyItem(service)).filter(({ kind, user_id }) => kind === 'token' && user_id === id)).toEqual([])
    expect((await api('POST', '/api/sys/users', { name: 'Somebody', email, password })).status).toBe(201)
  })

  it('leaves the person in other companies untouched', async () => {
    const slug = `engines-${count}`
    await otherTenant(service, slug)
    const other = (await findTenantBySlug(service.store, slug))!
    await joinTenant(accounts(), other, (await findPerson(service.store, email))!, { roles: ['user'] })
    await erase()
    expect((await findPerson(service.store, email))?.memberships.map(({ tenantId }) => tenantId)).toEqual([other.id])
    expect((await logIn()).body).toMatchObject({ tenant: { slug }, user: { name } })
    expect((await logIn({ tenant: 'acme' })).status).toBe(401)
  })

  it('keeps what somebody typed into a record', async () => {
    const plan = (await api('POST', '/api/e/plans', { title: `Call ${name}` })).body.data
    await erase()
    expect((await api('GET', `/api/e/plans/${plan.id}`)).body.data.data.title).toBe(`Call ${name}`)
  })

  it('can be repeated, and nobody can change the user any more', async () => {
    await erase()
    expect((await erase()).status).toBe(202)
    for (const [method, body] of [
      ['PUT', { name: 'Back' }],
      ['PUT', { is_active: true }],
      ['DELETE', undefined],
    ] as const)
      expect((await api(method, `/api/sys/users/${id}`, body)).body.code).toBe('user_erased')
  })

  it('is not for oneself, the last administrator, unknown users, and callers without the role', async () => {
    expect((await erase(service.admin.userId)).status).toBe(403)
    expect((await erase(99_999)).status).toBe(404)
    expect((await api('POST', `/api/sys/users/${id}/erase`, undefined, token)).status).toBe(403)
  })

  it('leaves one administrator when two erase each other', async () => {
    const slug = `duel-${count}`
    const first = await otherTenant(service, slug)
    const other = (await findTenantBySlug(service.store, slug))!
    const address = `second${count}@duel.test`
    const second = await createUser(accounts(), other, { name: 'Second', email: address, password, roles: ['admin'] })
    const { token: secondToken } = (
      await service.api('POST', '/api/login-local', { body: { email: address, password } })
    ).body
    const answers = await Promise.all([
      api('POST', `/api/sys/users/${second.id}/erase`, undefined, first.token),
      api('POST', '/api/sys/users/1/erase', undefined, secondToken),
    ])
    const [won, lost] = answers.map(({ status }) => status).sort()
    expect([won, [401, 409].includes(lost!)]).toEqual([202, true])
  })

  it('happens once when several administrators ask at the same time', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => erase()))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    expect((await api('GET', `/api/sys/users/${id}`)).body.data.version).toBe(2)
  })
})
