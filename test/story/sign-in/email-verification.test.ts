import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPerson } from '../../../shared/accounts/people/person.ts'
import { type Mailbox, openMailbox } from '../../make/services/mailboxes/mailbox.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
let deploymentMail: Mailbox
let tenantMail: Mailbox
beforeAll(async () => {
  ;[deploymentMail, tenantMail] = await Promise.all([
    openMailbox(),
    openMailbox({ login: { username: 'desk', password: 'sealed in the settings' } }),
  ])
  service = await startService({
    appMode: 'saas',
    parameters: {
      MailHost: 'localhost',
      MailPort: String(deploymentMail.port),
      MailFromAddress: 'service@host.test',
      AppUrl: 'https://app.host.test',
    },
  })
})
afterAll(async () => {
  await service?.stop()
  await Promise.all([deploymentMail?.close(), tenantMail?.close()])
})

const password = 'sufficiently long 7'
let registered = 0
async function register() {
  const slug = `co-${(registered += 1)}`
  const email = `${slug}@people.test`
  const body = { name: 'Ada', email, password, password_confirmation: password, company_name: slug, slug }
  const answer = await service.api('POST', '/api/register', { body })
  expect(answer.status).toBe(201)
  await service.cloud.idle()
  return { email, token: answer.body.token as string }
}
const verify = (token: string) => service.api('POST', '/api/email/verify', { body: { token } })
const linkIn = (mailbox: Mailbox, email: string): string =>
  (
    /https:\/\/app\.host\.test\/email\/verify\/([A-Za-z0-9_-]{43})\s/.exec(mailbox.textFor(email)) as RegExpExecArray
  )[1] as string
const isVerified = async (email: string) => (await findPerson(service.store, email))?.emailVerified

describe('the address of a registration in SaaS mode', () => {
  it('is verified with the mailed link, once, and signing in works before that', async () => {
    const { email, token } = await register()
    expect((await service.api('POST', '/api/login-local', { body: { email, password } })).status).toBe(200)
    expect((await service.api('GET', '/api/user', { token })).body.data).toMatchObject({ verification_required: true })
    expect(await isVerified(email)).toBe(false)
    const secret = linkIn(deploymentMail, email)
    const answers = await Promise.all([verify(secret), verify(secret)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect(await isVerified(email)).toBe(true)
    expect((await verify(secret)).body).toMatchObject({ code: 'invalid_token' })
  })

  it('lets its company work from then on, and nothing before', async () => {
    const { email, token } = await register()
    const makeTable = () =>
      service.api('POST', '/api/sys/entities', { token, body: { name: 'cases', table_fields: [] } })
    for (const [method, path, body] of [
      ['GET', '/api/sys/entities'],
      ['POST', '/api/tenant/invite', { email: 'victim@people.test', roles: ['user'] }],
      ['PUT', '/api/sys/settings', { MAIL_HOST: 'localhost' }],
      ['POST', '/api/sys/api-keys', { name: 'key', roles: ['admin'] }],
    ] as const)
      expect((await service.api(method, path, { token, body })).body).toMatchObject({ code: 'email_unverified' })
    expect((await makeTable()).body).toMatchObject({ code: 'email_unverified' })
    await verify(linkIn(deploymentMail, email))
    expect((await makeTable()).status).toBe(201)
    expect((await service.api('GET', '/api/user', { token })).body.data).toMatchObject({ verification_required: false })
  })

  it('is verified by a new password too, whose link went to the same mailbox', async () => {
    const { email } = await register()
    await service.api('POST', '/api/password/forgot', { body: { email } })
    await service.cloud.idle()
    const token = /reset\/([A-Za-z0-9_-]{43})\s/.exec(deploymentMail.textFor(email))?.[1] as string
    const fresh = 'another long one 8'
    await service.api('POST', '/api/password/reset', { body: { token, password: fresh, password_confirmation: fresh } })
    const login = await service.api('POST', '/api/login-local', { body: { email, password: fresh } })
    expect((await service.api('GET', '/api/sys/entities', { token: login.body.token })).status).toBe(200)
  })

  it('can be sent another link, at most five in 15 minutes, and none once it is verified', async () => {
    const { email, token } = await register()
    const resend = () => service.api('POST', '/api/email/verify/resend', { token })
    const statuses = []
    for (let count = 0; count < 6; count += 1) statuses.push((await resend()).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    await service.cloud.idle()
    const mails = () => deploymentMail.received.filter(({ to }) => to.includes(email)).length
    expect(mails()).toBe(6)
    await verify(linkIn(deploymentMail, email))
    const other = await register()
    await verify(linkIn(deploymentMail, other.email))
    const before = deploymentMail.received.length
    await service.api('POST', '/api/email/verify/resend', { token: other.token })
    await service.cloud.idle()
    expect(deploymentMail.received).toHaveLength(before)
  })

  it('is not verified by the link of a password reset, nor by a made-up token', async () => {
    const { email } = await register()
    await service.api('POST', '/api/password/forgot', { body: { email } })
    await service.cloud.idle()
    const reset = /reset\/([A-Za-z0-9_-]{43})\s/.exec(deploymentMail.textFor(email))?.[1] as string
    expect((await verify(reset)).status).toBe(422)
    expect((await verify('A'.repeat(43))).status).toBe(422)
    expect(await isVerified(email)).toBe(false)
  })
})

describe('an invitation in SaaS mode', () => {
  const invite = (token: string, email: string) =>
    service.api('POST', '/api/tenant/invite', { token, body: { email, roles: ['user'] } })

  it('waits for the address of who invites to be verified', async () => {
    const { email, token } = await register()
    expect((await invite(token, `early-${email}`)).body).toMatchObject({ code: 'email_unverified' })
    await verify(linkIn(deploymentMail, email))
    expect((await invite(token, `early-${email}`)).status).toBe(201)
  })

  it('is mailed with a link of its own, and either link accepts it once', async () => {
    const { email, token } = await register()
    await verify(linkIn(deploymentMail, email))
    const invited = `guest-${email}`
    const answer = await invite(token, invited)
    await service.cloud.idle()
    const text = deploymentMail.textFor(invited)
    const mailed = (/https:\/\/app\.host\.test\/join\/([A-Za-z0-9_-]{43})\s/.exec(text) as RegExpExecArray)[1] as string
    expect(mailed).not.toBe(answer.body.data.token)
    const join = (secret: string) =>
      service.api('POST', `/api/join/${secret}`, { body: { name: 'Guest', password, password_confirmation: password } })
    expect((await join(mailed)).status).toBe(201)
    expect((await join(answer.body.data.token)).status).toBe(404)
  })

  it('that was revoked is not mailed', async () => {
    const { email, token } = await register()
    await verify(linkIn(deploymentMail, email))
    const { id } = (await invite(token, `later-${email}`)).body.data
    await service.cloud.idle()
    const before = deploymentMail.received.length
    await service.api('DELETE', `/api/tenant/invitations/${id}`, { token })
    expect((await service.api('POST', `/api/tenant/invitations/${id}/resend`, { token })).status).toBe(404)
    await service.cloud.idle()
    expect(deploymentMail.received).toHaveLength(before)
  })
})

describe('the mails of a tenant with mail settings of its own', () => {
  it('go through its server, with its sealed password', async () => {
    const { email, token } = await register()
    await verify(linkIn(deploymentMail, email))
    const settings = {
      MAIL_MAILER: 'smtp',
      MAIL_HOST: '127.0.0.1',
      MAIL_PORT: tenantMail.port,
      MAIL_USERNAME: 'desk',
      MAIL_PASSWORD: 'sealed in the settings',
      MAIL_FROM_ADDRESS: 'desk@co.test',
    }
    const changed = await service.api('PUT', '/api/sys/settings', { token, body: settings })
    expect([changed.status, changed.body.data?.MAIL_PASSWORD]).toEqual([200, '********'])
    await service.api('POST', '/api/password/forgot', { body: { email } })
    await service.cloud.idle()
    expect(tenantMail.received).toMatchObject([{ from: 'desk@co.test', to: [email], user: 'desk' }])
  })
})
