import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccountLink } from '../../../shared/accounts/account-mail/account-link.ts'
import { findPerson } from '../../../shared/accounts/people/person.ts'
import { frozenClock } from '../../make/builders/frozen-clock.ts'
import { userWith } from '../../make/builders/people.ts'
import { type Mailbox, openMailbox } from '../../make/services/mailboxes/mailbox.ts'
import { startService, type TestService } from '../../make/services/service.ts'
import { itemsOf } from '../../make/services/stores/items-of.ts'

let service: TestService
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await openMailbox()
  service = await startService({
    parameters: {
      MailHost: '127.0.0.1',
      MailPort: String(mailbox.port),
      MailFromAddress: 'desk@acme.test',
      MailFromName: 'Acme desk',
      AppUrl: 'https://app.acme.test',
    },
  })
})
afterAll(async () => {
  await service?.stop()
  await mailbox?.close()
})

const password = 'sufficiently long 7'
const post = (path: string, body: object) => service.api('POST', path, { body })
const forgot = (email: string) => post('/api/password/forgot', { email })
const reset = (token: string, wanted = 'quite another 9') =>
  post('/api/password/reset', { token, password: wanted, password_confirmation: wanted })
const logIn = (email: string, given: string) => post('/api/login-local', { email, password: given })
const mailsTo = (email: string) => mailbox.received.filter(({ to }) => to.includes(email))
const newPerson = async (permissions: string[] = []) => {
  const { id, token, role } = await userWith(service, permissions)
  return { id, token, email: `${role}@acme.test` }
}
/** Asks for a reset and answers the token of the mailed link. */
async function mailedToken(email: string): Promise<string> {
  expect((await forgot(email)).status).toBe(200)
  await service.cloud.idle()
  const link = /https:\/\/app\.acme\.test\/password\/reset\/([A-Za-z0-9_-]{43})\s/.exec(mailbox.textFor(email))
  return (link as RegExpExecArray)[1] as string
}

describe('a forgotten password', () => {
  it('is set anew with the mailed link, which ends all sessions', async () => {
    const { token, email } = await newPerson()
    const secret = await mailedToken(email.toUpperCase().toLowerCase())
    const answer = await reset(secret)
    expect([answer.status, answer.body]).toEqual([200, { success: true, data: null, message: 'OK' }])
    expect((await service.api('GET', '/api/user', { token })).status).toBe(401)
    expect((await logIn(email, password)).status).toBe(401)
    expect((await logIn(email, 'quite another 9')).status).toBe(200)
    expect(await findPerson(service.store, email)).toMatchObject({ emailVerified: true })
  })

  it('is mailed as one plain mail from the address of the deployment, and no row holds the secret', async () => {
    const { email } = await newPerson()
    const secret = await mailedToken(email)
    const [mail, ...more] = mailsTo(email)
    expect([mail?.from, mail?.to, more]).toEqual(['desk@acme.test', [email], []])
    expect(mail?.raw).toMatch(/^Message-ID: <[0-9a-f-]{36}@acme\.test>\r$/im)
    expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(JSON.stringify(await itemsOf(service, ''))).not.toContain(secret)
  })

  it('cannot be set twice with one link, not even at once', async () => {
    const { email } = await newPerson()
    const secret = await mailedToken(email)
    const answers = await Promise.all([reset(secret, 'first of the two 1'), reset(secret, 'second of the two 2')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
      code: 'invalid_token',
      errors: { token: ['The token is unknown, was used, or has expired.'] },
    })
    const works = await Promise.all(['first of the two 1', 'second of the two 2'].map((one) => logIn(email, one)))
    expect(works.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect((await reset(secret)).status).toBe(422)
  })

  it('cannot be set with a link of before the password changed', async () => {
    const { token, email } = await newPerson()
    const secret = await mailedToken(email)
    const changed = await service.api('PUT', '/api/user', {
      token,
      body: {
        password: 'changed by myself 3',
        password_confirmation: 'changed by myself 3',
        current_password: password,
      },
    })
    expect(changed.status).toBe(200)
    expect((await reset(secret)).body.errors).toHaveProperty('token')
    expect((await logIn(email, 'changed by myself 3')).status).toBe(200)
  })

  it('cannot be set by somebody who was disabled since, nor with an expired or made-up token', async () => {
    const { id, email } = await newPerson()
    const secret = await mailedToken(email)
    await service.api('DELETE', `/api/sys/users/${id}`, { token: service.admin.token })
    expect((await reset(secret)).status).toBe(422)
    const other = await newPerson()
    const person = await findPerson(service.store, other.email)
    const hourAgo = frozenClock(new Date(Date.now() - 3_600_000).toISOString())
    const expired = await createAccountLink({ store: service.store, clock: hourAgo }, 'password_reset', person as never)
    expect((await reset(expired)).status).toBe(422)
    const verification = await createAccountLink(
      { store: service.store, clock: frozenClock(new Date().toISOString()) },
      'email_verification',
      person as never,
    )
    expect((await reset(verification)).status).toBe(422)
    for (const made of ['x', 'A'.repeat(43), '']) expect((await reset(made)).status).toBe(422)
  })

  it('obeys the rules of passwords, and a refused password leaves the link usable', async () => {
    const { email } = await newPerson()
    const secret = await mailedToken(email)
    const short = await post('/api/password/reset', { token: secret, password: 'short', password_confirmation: 'long' })
    expect(Object.keys(short.body.errors)).toEqual(['password'])
    expect((await reset(secret, email)).body.errors).toEqual({
      password: ['The password must not be your name or e-mail address.'],
    })
    expect((await reset(secret)).status).toBe(200)
  })
})

describe('a request for a new password', () => {
  it('takes the same calls and answers the same for known and unknown addresses', async () => {
    const { email } = await newPerson()
    const callsOf = async (address: string) => {
      service.cloud.recordCalls()
      const { status, body, headers } = await forgot(address)
      await service.cloud.idle()
      const { calls } = service.cloud.callsOf(headers.get('apigw-requestid') as string)
      return { status, body, calls: calls.map(({ service: provider, operation }) => `${provider} ${operation}`) }
    }
    await callsOf('warm-up@acme.test')
    const [known, unknown] = [await callsOf(email), await callsOf('nobody@nowhere.test')]
    expect(known).toEqual(unknown)
    expect(known).toMatchObject({ status: 200, body: { success: true, data: null, message: 'OK' } })
    expect(known.calls.length).toBeGreaterThan(1)
    expect([mailsTo(email).length, mailsTo('nobody@nowhere.test').length]).toEqual([1, 0])
  })

  it('is dropped in silence after five in 15 minutes', async () => {
    const { email } = await newPerson()
    const answers = []
    for (let count = 0; count < 8; count += 1) answers.push(await forgot(email))
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    await service.cloud.idle()
    expect(mailsTo(email)).toHaveLength(5)
  })

  it('mails nothing to somebody who was disabled', async () => {
    const { id, email } = await newPerson()
    await service.api('DELETE', `/api/sys/users/${id}`, { token: service.admin.token })
    expect((await forgot(email)).status).toBe(200)
    await service.cloud.idle()
    expect(mailsTo(email)).toEqual([])
  })

  it('names a malformed address, and adds no recipient that one smuggles in', async () => {
    for (const email of ['ada', 'ada@acme.test\r\nBcc: eve@acme.test', 'ada@acme.test,eve@acme.test']) {
      expect((await forgot(email)).body.errors).toEqual({ email: ['The email must be a valid email address.'] })
    }
  })
})
