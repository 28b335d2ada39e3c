import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createInvitation } from '../../../shared/accounts/invitations/create-invitation.ts'
import { createUser } from '../../../shared/accounts/people/create-user.ts'
import { joinTenant } from '../../../shared/accounts/people/membership/change-membership.ts'
import { findPerson } from '../../../shared/accounts/people/person.ts'
import { findTenantBySlug } from '../../../shared/accounts/tenants/find-tenant.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { bringPurgeForward } from '../../make/builders/due-purge.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { bpmn, end, inARow, start } from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { upload } from '../../make/builders/records/uploads.ts'
import { startService, type TestService } from '../../make/services/service.ts'
import { everyItem, everyObject } from '../../make/services/stores/whole-store.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ log: () => {} })
  await service.api('POST', '/api/e/clients', { token: service.admin.token, body: {} })
})
afterAll(() => service?.stop())

const password = 'sufficiently long 7'
const accounts = () => ({ store: service.store, clock })
const logIn = (email: string, more: object = {}) =>
  service.api('POST', '/api/login-local', { body: { email, password, ...more } })

let slug: string
let token: string
let tenant: Tenant
let count = 0
const api = (method: string, path: string, body?: unknown) => service.api(method, path, { token, body })
const deleteTenant = () => api('DELETE', '/api/tenant', { slug })

beforeEach(async () => {
  slug = `quagga-${(count += 1)}`
  token = (await otherTenant(service, slug)).token
  tenant = (await findTenantBySlug(service.store, slug)) as Tenant
})

/** A person of this tenant and of the first one; the last used is this one. */
async function personOfBoth(roles: string[] = ['user']) {
  const email = `both-${slug}@acme.test`
  await createUser(accounts(), { id: 1 }, { name: 'Both Sides', email, password, roles: ['user'] })
  await joinTenant(accounts(), tenant, (await findPerson(service.store, email))!, { roles })
  return email
}

describe('deleting a tenant', () => {
  it('needs an administrator and the right slug', async () => {
    const wrong = await api('DELETE', '/api/tenant', { slug: 'acme' })
    expect([wrong.status, wrong.body.errors]).toEqual([422, { slug: ['The slug is not the one of your company.'] }])
    const { token: plain } = await userWith(service, ['*'])
    expect((await service.api('DELETE', '/api/tenant', { token: plain, body: { slug: 'acme' } })).status).toBe(403)
    const key = (await api('POST', '/api/sys/api-keys', { name: 'robot', roles: ['admin'] })).body.data.token
    const byKey = await service.api('DELETE', '/api/tenant', { token: key, body: { slug } })
    expect([byKey.status, byKey.body.code]).toEqual([403, 'person_required'])
    expect((await api('GET', '/api/user')).status).toBe(200)
  })

  it('answers 202, and from then on 403 to every request and sign-in', async () => {
    const plain = await createUser(accounts(), tenant, {
      name: 'Plain',
      email: `plain-${slug}@other.test`,
      password,
      roles: ['user'],
    })
    const { token: invitation } = await createInvitation(accounts(), tenant, { email: `new-${slug}@x.test`, roles: [] })
    const { status, body } = await deleteTenant()
    expect([status, Date.parse(body.data.delete_at) - Date.now()]).toEqual([202, expect.closeTo(30 * 86_400_000, -5)])
    const refused = [403, 'tenant_deleted', body.data.delete_at]
    const ofAnswer = ({ status: found, body: { code, data } }: Awaited<ReturnType<typeof api>>) => [
      found,
      code,
      data.delete_at,
    ]
    for (const [method, path] of [
      ['GET', '/api/user'],
      ['GET', '/api/sys/users'],
      ['POST', '/api/logout'],
      ['DELETE', '/api/tenant'],
    ] as const)
      expect(ofAnswer(await api(method, path, method === 'DELETE' ? { slug } : undefined))).toEqual(refused)
    expect(ofAnswer(await logIn(plain.email!))).toEqual(refused)
    expect((await logIn(plain.email!, { password: 'a wrong guess' })).status).toBe(401)
    expect(ofAnswer(await service.api('GET', `/api/join/${invitation}`))).toEqual(refused)
  })

  it('keeps people of other tenants signing in to those', async () => {
    const email = await personOfBoth()
    expect((await logIn(email)).body.tenant.slug).toBe(slug)
    await deleteTenant()
    expect((await logIn(email)).body.tenant.slug).toBe('acme')
    expect((await logIn(email, { tenant: slug })).body.code).toBe('tenant_deleted')
  })
})

describe('restoring a tenant', () => {
  it('is for an administrator, with a new sign-in or an old token', async () => {
    await deleteTenant()
    const fresh = await logIn(`${slug}@other.test`)
    expect(fresh.status).toBe(200)
    expect((await service.api('GET', '/api/user', { token: fresh.body.token })).status).toBe(403)
    const restored = await service.api('POST', '/api/tenant/restore', { token: fresh.body.token })
    expect([restored.status, restored.body.data]).toEqual([200, { slug, name: slug }])
    expect((await api('GET', '/api/user')).status).toBe(200)
    expect((await api('POST', '/api/tenant/restore')).status).toBe(200)
  })

  it('keeps everything, even when the job of the removal comes late', async () => {
    await makeTable(service, 'clients', [{ name: 'name', type: 'text' }], token)
    await api('POST', '/api/e/clients', { name: 'Ann' })
    await deleteTenant()
    await api('POST', '/api/tenant/restore')
    await service.cloud.invoke('due-sweeper')
    await service.cloud.idle()
    expect((await api('GET', '/api/e/clients')).body.data).toMatchObject([{ data: { name: 'Ann' } }])
  })

  it('is refused once the thirty days are over', async () => {
    await deleteTenant()
    await bringPurgeForward(service, tenant)
    expect((await api('POST', '/api/tenant/restore')).body.code).toBe('tenant_deleted')
    expect((await logIn(`${slug}@other.test`)).body.code).toBe('tenant_deleted')
  })

  it('lets due timers, which wait meanwhile, go on', async () => {
    await makeTable(service, 'clients', [{ name: 'name', type: 'text' }], token)
    const wait =
      '<intermediateCatchEvent id="wait"><timerEventDefinition><timeDuration>PT1S</timeDuration></timerEventDefinition></intermediateCatchEvent>'
    const made = await api('POST', '/api/sys/process-templates', {
      name: 'Waits',
      table: 'clients',
      bpmn_xml: bpmn(inARow(start, wait, end)),
      is_auto_start: true,
    })
    expect(made.status).toBe(201)
    await api('POST', '/api/e/clients', { name: 'Ann' })
    await service.cloud.idle()
    await deleteTenant()
    const timersDueBy = async (ms: number) =>
      (await everyItem(service))
        .filter(({ pk, kind }) => pk.startsWith(`T#${tenant.id}#PX`) && kind === 'process_timer')
        .map(({ s20 }) => Date.parse(String(s20).slice(0, 24)) <= Date.now() + ms)
    // The wake-up of the timer, or the sweeper, finds it due and puts it off for an hour.
    const putOff = async () => {
      await service.cloud.invoke('due-sweeper')
      return timersDueBy(3_000_000)
    }
    await expect.poll(putOff, { interval: 200 }).toEqual([false])
    await service.cloud.idle()
    await api('POST', '/api/tenant/restore')
    await service.cloud.invoke('process-runner', {
      Records: [
        { messageId: 'a', body: JSON.stringify({ v: 1, tenant_id: tenant.id, instance_id: 1 }), attributes: {} },
      ],
    })
    await service.cloud.idle()
    expect((await api('GET', '/api/sys/process-instances')).body.data).toMatchObject([{ status: 'completed' }])
  })
})

describe('after thirty days', () => {
  it('nothing of the tenant is left in the table and among the objects', async () => {
    await makeTable(
      service,
      'plans',
      [
        { name: 'title', type: 'text', unique: true, searchable: true },
        { name: 'photo', type: 'file' },
      ],
      token,
    )
    const photo = await upload(service, { token, name: `${slug}.png` })
    const plan = await api('POST', '/api/e/plans', { title: slug, photo })
    expect(plan.status).toBe(201)
    await api('POST', '/api/e/plans', { title: `${slug} gone` })
    await api('DELETE', '/api/e/plans/2')
    const email = await personOfBoth()
    await createInvitation(accounts(), tenant, { email: `new-${slug}@x.test`, roles: [] })
    expect((await api('POST', '/api/sys/api-keys', { name: `${slug} key`, roles: ['user'] })).status).toBe(201)
    const provider = { SSO_ISSUER: `https://${slug}.test`, SSO_AUDIENCE: slug, MAIL_PASSWORD: `${slug} password` }
    expect((await api('PUT', '/api/sys/settings', provider)).status).toBe(200)
    await service.cloud.idle()
    expect([...(await everyObject(service)).keys()]).toContain(photo)
    await deleteTenant()
    await bringPurgeForward(service, tenant)
    await service.cloud.invoke('due-sweeper')
    await service.cloud.idle()

    const left = (await everyItem(service)).filter((item) => {
      const { email: address, ...text } = item
      const isPersonOfBoth = item.pk === `EMAIL#${email}`
      return (
        item.pk.startsWith(`T#${tenant.id}#`) ||
        item.pk === `TENANT#${tenant.id}` ||
        item.tenant_id === tenant.id ||
        Object.values(item).some(
          (value) => String(value).includes(`#${tenant.id}#`) && /^(DUE|T)#/.test(String(value)),
        ) ||
        (!isPersonOfBoth && address !== email && JSON.stringify(text).includes(slug))
      )
    })
    expect(left).toEqual([])
    const objects = [...(await everyObject(service))]
    expect(
      objects
        .filter(([key, body]) => key.split('/')[1] === String(tenant.id) || body.includes(slug))
        .map(([key]) => key),
    ).toEqual([])
    const both = (await findPerson(service.store, email))!
    expect([both.memberships.map(({ tenantId }) => tenantId), both.lastTenantId]).toEqual([[1], 1])
    expect((await logIn(email)).body.tenant.slug).toBe('acme')
    expect((await api('GET', '/api/user')).status).toBe(401)
    expect((await logIn(`${slug}@other.test`)).status).toBe(401)

    // Slug and address are free again.
    const again = await otherTenant(service, slug)
    expect((await service.api('GET', '/api/e/plans', { token: again.token })).status).toBe(404)
  })

  it('late messages write nothing', async () => {
    await makeTable(service, 'plans', [{ name: 'title', type: 'text' }], token)
    await deleteTenant()
    await bringPurgeForward(service, tenant)
    await service.cloud.invoke('due-sweeper')
    await service.cloud.idle()
    const before = JSON.stringify(await everyItem(service))
    const change = {
      v: 1,
      tenant_id: tenant.id,
      model: 'plans',
      id: 1,
      version: 1,
      actor: 1,
      source: null,
    }
    const late: readonly (readonly [string, object])[] = [
      ['job-runner', { v: 1, tenant_id: tenant.id, job_id: 1, wake: 'late' }],
      ['process-runner', { v: 1, tenant_id: tenant.id, instance_id: 1 }],
      ['search-indexer', { ...change, action: 'create' }],
      ['record-cleanup', { ...change, action: 'delete' }],
      ['record-cleanup', { ...change, action: 'update' }],
      ['process-evaluation', { ...change, action: 'create' }],
    ]
    for (const [consumer, message] of late) {
      const answer = await service.cloud.invoke(consumer, {
        Records: [
          {
            messageId: 'late',
            body: JSON.stringify(message),
            attributes: { ApproximateReceiveCount: '1', MessageGroupId: 'late' },
          },
        ],
      })
      expect([consumer, answer]).toEqual([consumer, { batchItemFailures: [] }])
    }
    await service.cloud.idle()
    expect(JSON.stringify(await everyItem(service))).toBe(before)
  })
})
