import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../../shared/accounts/people/create-user.ts'
import { joinTenant } from '../../../shared/accounts/people/membership/change-membership.ts'
import { findPerson } from '../../../shared/accounts/people/person.ts'
import { createAuthentication } from '../../../shared/accounts/sessions/authentication.ts'
import { impersonate } from '../../../shared/accounts/sign-in/impersonate.ts'
import { findTenantBySlug } from '../../../shared/accounts/tenants/find-tenant.ts'
import { Unauthenticated } from '../../../shared/kernel/failures/faults.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { createConfig } from '../../../shared/platform/store/config.ts'
import { frozenClock } from '../../make/builders/frozen-clock.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import {
  bpmn,
  end,
  inARow,
  instanceOf,
  makeProcess,
  setFields,
  start,
} from '../../make/builders/processes/processes.ts'
import { scriptRuns, setHooks } from '../../make/builders/records/hooks.ts'
import { makeRequests, makeTable } from '../../make/builders/records/tables.ts'
import { type ApiAnswer, sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedService()
  await makeRequests(service, service.admin.token)
})
afterAll(() => service.stop())

const password = 'sufficiently long 7'
const me = (token: string) => service.api('GET', '/api/user', { token })
const actAs = (id: number, token = service.admin.token) => service.api('POST', `/api/impersonate/${id}`, { token })
const asAdmin = (method: string, path: string, body?: object) =>
  service.api(method, path, { token: service.admin.token, body })
const refusal = ({ status, body }: ApiAnswer) => [status, body.code]

let count = 0
async function makeAdministrator() {
  const email = `admin${(count += 1)}@${service.tenant.slug}.test`
  const made = await asAdmin('POST', '/api/sys/users', { name: `Admin ${count}`, email, password, roles: ['admin'] })
  const { body } = await service.api('POST', '/api/login-local', { body: { email, password } })
  return { id: made.body.data.id as number, token: body.token as string }
}

describe('an administrator who acts as another user', () => {
  it('gets a login result that names both, with the rights of the user', async () => {
    const user = await userWith(service, ['requests.read'])
    const { status, body } = await actAs(user.id)
    const impersonator = { id: service.admin.userId, name: 'Grace Hopper' }
    expect(status).toBe(200)
    expect(body).toMatchObject({
      impersonator,
      user: { id: user.id, roles: [user.role] },
      tenant: { slug: service.tenant.slug },
    })
    expect(body.data).toMatchObject({ token: body.token, impersonator })
    expect((await me(body.token)).body.data).toMatchObject({
      id: user.id,
      permissions: ['requests.read'],
      impersonator,
    })
    expect((await me(user.token)).body.data).not.toHaveProperty('impersonator')
    expect((await service.api('GET', '/api/sys/users', { token: body.token })).status).toBe(403)
  })

  it('leaves both ids in history and trail', async () => {
    const user = await userWith(service, ['*'])
    const { token } = (await actAs(user.id)).body
    const made = await service.api('POST', '/api/e/requests', { token, body: { title: 'For somebody' } })
    expect(made.body.data.created_by).toBe(user.id)
    await service.cloud.idle()
    const impersonator = { id: service.admin.userId, name: 'Grace Hopper' }
    const [entry] = (await asAdmin('GET', `/api/sys/history/requests/${made.body.data.id}`)).body.data
    expect(entry).toMatchObject({ user: { id: user.id }, impersonator })
    await service.api('POST', '/api/logout', { token })
    const trail = (await asAdmin('GET', `/api/sys/audit?user_id=${user.id}`)).body.data
    expect(trail.find(({ model }: { model: string }) => model === 'requests')).toMatchObject({ impersonator })
    expect(trail.find(({ action }: { action: string }) => action === 'logout')).toMatchObject({ impersonator })
    const begun = (await asAdmin('GET', `/api/sys/audit?user_id=${service.admin.userId}&action=impersonate`)).body.data
    expect(begun[0]).toMatchObject({ model: 'sys_users', record_id: user.id, user: { id: service.admin.userId } })
    expect((await me(token)).status).toBe(401)
  })

  it('leaves both ids in what hooks, processes and their scripts do for the user', async () => {
    await makeTable(service, 'orders', [
      { name: 'title', type: 'text' },
      { name: 'note', type: 'text' },
    ])
    await setHooks(service, 'orders', [['after_create', `$api.create('requests', { title: 'By hook' })`]])
    const fill = setFields('fill', { note: 'by process' })
    await makeProcess(service, 'orders', 'filling', bpmn(inARow(start, fill, end)), {
      is_auto_start: true,
    })
    const user = await userWith(service, ['orders.*'])
    const { token } = (await actAs(user.id)).body
    const { id } = (await service.api('POST', '/api/e/orders', { token, body: { title: 'x' } })).body.data
    await instanceOf(service, 'orders', id, 'completed')
    await service.cloud.idle()
    const both = { user: { id: user.id }, impersonator: { id: service.admin.userId } }
    const ofProcess = (await asAdmin('GET', `/api/sys/history/orders/${id}`)).body.data
    expect(ofProcess).toMatchObject([{ ...both, source: 'process' }, both])
    const trail = (await asAdmin('GET', `/api/sys/audit?user_id=${user.id}&model=requests`)).body.data
    expect(trail).toMatchObject([{ ...both, source: 'script' }])
    expect(await scriptRuns(service, '&model=orders')).toMatchObject([
      { user_id: user.id, impersonator_id: service.admin.userId },
    ])
  })

  it('cannot act as an administrator, as itself, as a disabled user or as nobody', async () => {
    const administrator = await makeAdministrator()
    const disabled = await userWith(service, [])
    const key = { name: 'Robot', roles: [disabled.role] }
    const serviceUser = (await asAdmin('POST', '/api/sys/api-keys', key)).body.data.id
    await asAdmin('DELETE', `/api/sys/users/${disabled.id}`)
    for (const id of [administrator.id, service.admin.userId, disabled.id])
      expect(refusal(await actAs(id))).toEqual([403, 'impersonation_refused'])
    const reasons = [
      [administrator.id, 'another administrator'],
      [service.admin.userId, 'yourself'],
      [disabled.id, 'a disabled user'],
      [serviceUser, 'a service user'],
      [999_999, 'somebody who is no user of your company'],
    ] as const
    for (const [id, reason] of reasons) expect((await actAs(id)).body.message).toBe(`You may not act as ${reason}.`)
    expect(refusal(await actAs(999_999))).toEqual([403, 'impersonation_refused'])
  })

  it('must be an administrator, of the same company, and not act as somebody already', async () => {
    const [user, other] = [await userWith(service, ['*']), await userWith(service, [])]
    expect((await actAs(other.id, user.token)).status).toBe(403)
    const stranger = await otherTenant(service)
    expect((await actAs(other.id, stranger.token)).status).toBe(403)
    const { token } = (await actAs(user.id)).body
    expect(refusal(await actAs(other.id, token))).toEqual([403, 'person_required'])
  })

  it('cannot change the account, its sessions or its company', async () => {
    const tenant = (await findTenantBySlug(service.store, service.tenant.slug))!
    const slug = 'far-away'
    await otherTenant(service, slug)
    const accounts = { store: service.store, clock }
    const email = 'both@impersonation.test'
    const here = await createUser(accounts, tenant, { name: 'Ada', email, password, roles: [] })
    const far = (await findTenantBySlug(service.store, slug))!
    await joinTenant(accounts, far, (await findPerson(service.store, email))!, { roles: ['admin'] })

    const { token } = (await actAs(here.id)).body
    const change = { password: 'a stolen account 1', current_password: password }
    const id = token.split('|')[0]
    const attempts: [string, string, object?][] = [
      ['PUT', '/api/user', change],
      ['PUT', '/api/user', { name: 'Stolen' }],
      ['POST', '/api/user/switch', { tenant: slug }],
      ['GET', '/api/user/sessions'],
      ['DELETE', '/api/user/sessions'],
      ['DELETE', `/api/user/sessions/${id}`],
    ]
    for (const [method, path, body] of attempts) {
      const answer = await service.api(method, path, { token, body })
      expect([path, ...refusal(answer)]).toEqual([path, 403, 'person_required'])
    }
    // The other companies of the person are none of the administrator's business.
    expect((await me(token)).body.data.tenants).toEqual([{ slug: service.tenant.slug, name: 'Acme Ltd' }])
  })

  it('is not listed among the sessions of the user', async () => {
    const user = await userWith(service, [])
    await actAs(user.id)
    const { body } = await service.api('GET', '/api/user/sessions', { token: user.token })
    expect(body.data).toMatchObject([{ is_current: true }])
  })
})

describe('an impersonation ends at once', () => {
  const cases: [string, (administrator: { id: number; token: string }, user: { id: number }) => Promise<ApiAnswer>][] =
    [
      ['the administrator is disabled', ({ id }) => asAdmin('DELETE', `/api/sys/users/${id}`)],
      ['the administrator loses the role', ({ id }) => asAdmin('PUT', `/api/sys/users/${id}`, { roles: [] })],
      [
        'the administrator gets a new password',
        ({ id }) => asAdmin('PUT', `/api/sys/users/${id}`, { password: 'quite another one 9' }),
      ],
      ['the user is disabled', (_, { id }) => asAdmin('DELETE', `/api/sys/users/${id}`)],
      [
        'the user becomes an administrator',
        (_, { id }) => asAdmin('PUT', `/api/sys/users/${id}`, { roles: ['admin'] }),
      ],
    ]
  it.each(cases)('when %s', async (_, change) => {
    const [administrator, user] = [await makeAdministrator(), await userWith(service, [])]
    const { token } = (await actAs(user.id, administrator.token)).body
    expect((await me(token)).status).toBe(200)
    expect((await change(administrator, user)).status).toBeLessThan(300)
    expect((await me(token)).status).toBe(401)
  })

  it('after one hour, however it is used', async () => {
    const frozen = frozenClock(new Date().toISOString())
    const accounts = { store: service.store, config: createConfig(service.store, frozen), clock: frozen }
    const user = await userWith(service, [])
    const authenticate = createAuthentication(accounts)
    const { caller } = await authenticate(`Bearer ${service.admin.token}`, () => [])
    const { token } = await impersonate(accounts, caller, user.id, undefined)
    const use = () => authenticate(`Bearer ${token}`, () => [])
    frozen.advance(3_600_000 - 1)
    expect((await use()).caller).toMatchObject({ userId: user.id, impersonatorId: service.admin.userId })
    frozen.advance(1)
    await expect(use()).rejects.toThrow(Unauthenticated)
  })
})
