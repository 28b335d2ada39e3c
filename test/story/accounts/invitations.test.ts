import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInvitation } from '../../../shared/accounts/invitations/create-invitation.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ appMode: 'saas' })
})
afterAll(() => service.stop())

const acme = { id: 1 }
const password = 'brass gears 1843'
const answer = { name: 'Ada Lovelace', password, password_confirmation: password }

const invite = async (email: string, roles = ['user'], invitedBy?: number): Promise<string> =>
  (
    await createInvitation({ store: service.store, clock }, acme, {
      email,
      roles,
      ...(invitedBy !== undefined && { by: { userId: invitedBy } }),
    })
  ).token
const read = (token: string) => service.api('GET', `/api/join/${token}`)
const accept = (token: string, body: object = answer) => service.api('POST', `/api/join/${token}`, { body })
const logIn = (email: string, secret = password) =>
  service.api('POST', '/api/login-local', { body: { email, password: secret } })

describe('an invitation', () => {
  it('can be read without a login', async () => {
    const { status, body } = await read(await invite('reader@acme.test', ['user'], service.admin.userId))
    expect(status).toBe(200)
    expect(body.data).toEqual({
      email: 'reader@acme.test',
      roles: ['user'],
      tenant: { slug: 'acme', name: 'Acme Ltd' },
      invited_by: 'Grace Hopper',
      has_account: false,
    })
  })

  it('creates an account with its roles and logs it in', async () => {
    const { status, body } = await accept(await invite('ada@acme.test', ['user', 'admin']))
    expect(status).toBe(201)
    expect(body).toMatchObject({
      user: { name: 'Ada Lovelace', email: 'ada@acme.test', roles: ['user', 'admin'] },
      tenant: { slug: 'acme' },
    })
    expect(body.data.token).toBe(body.token)
    expect((await service.api('GET', '/api/user', { token: body.token })).status).toBe(200)
    expect((await logIn('ada@acme.test')).status).toBe(200)
  })

  it('can be accepted once, even by concurrent requests', async () => {
    const token = await invite('once@acme.test')
    const answers = await Promise.all([accept(token), accept(token), accept(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404])
    expect([(await read(token)).status, (await accept(token)).status]).toEqual([404, 404])
  })

  it('answers 404 when unknown', async () => {
    for (const token of ['A'.repeat(43), 'x', '%00', 'A'.repeat(500)]) {
      expect([token, (await read(token)).status, (await accept(token)).status]).toEqual([token, 404, 404])
    }
  })

  it('stays valid when an acceptance is refused', async () => {
    const token = await invite('careful@acme.test')
    const refused = await accept(token, { name: '', password: 'short', password_confirmation: 'other' })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['name', 'password']])
    const own = await accept(token, {
      ...answer,
      password: 'careful@acme.test',
      password_confirmation: 'careful@acme.test',
    })
    expect([own.status, Object.keys(own.body.errors)]).toEqual([422, ['password']])
    expect((await accept(token)).status).toBe(201)
  })

  it('of the operator replaces a lost password: it sets the new one, revokes old tokens and adds its roles', async () => {
    const { body: before } = await accept(await invite('lost@acme.test'))
    const { status, body } = await accept(await invite('lost@acme.test', ['admin']), {
      ...answer,
      password: 'found again 7',
      password_confirmation: 'found again 7',
    })
    expect(status).toBe(201)
    expect(body.user).toMatchObject({ id: before.user.id, roles: ['user', 'admin'] })
    expect((await service.api('GET', '/api/user', { token: before.token })).status).toBe(401)
    expect([(await logIn('lost@acme.test')).status, (await logIn('lost@acme.test', 'found again 7')).status]).toEqual([
      401, 200,
    ])
  })

  it('enables a disabled user only when it was created after the user was disabled', async () => {
    const { body } = await accept(await invite('gone@acme.test'))
    const older = await invite('gone@acme.test')
    await service.api('DELETE', `/api/sys/users/${body.user.id}`, { token: service.admin.token })
    expect([(await read(older)).status, (await accept(older)).status]).toEqual([404, 404])
    expect((await accept(await invite('gone@acme.test'))).status).toBe(201)
  })

  it('is revoked when another one for the same address is accepted', async () => {
    const [first, second] = [await invite('twice@acme.test'), await invite('twice@acme.test')]
    expect((await accept(first)).status).toBe(201)
    expect((await accept(second)).status).toBe(404)
  })

  it('does not grant a role that was deleted since', async () => {
    const role = await service.api('POST', '/api/sys/roles', { token: service.admin.token, body: { name: 'passing' } })
    const token = await invite('passing@acme.test', ['user', 'passing'])
    await service.api('DELETE', `/api/sys/roles/${role.body.data.id}`, { token: service.admin.token })
    expect((await accept(token)).body.user.roles).toEqual(['user'])
  })

  it('is refused for roles that do not exist', async () => {
    const refused = createInvitation({ store: service.store, clock }, acme, {
      email: 'new@acme.test',
      roles: ['wizard'],
    })
    await expect(refused).rejects.toMatchObject({ errors: { 'roles.0': ['The selected roles.0 is invalid.'] } })
  })
})
