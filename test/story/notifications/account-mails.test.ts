import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { type Mailbox, openMailbox } from '../../make/services/mailboxes/mailbox.ts'
import { startService, type TestService } from '../../make/services/service.ts'
import { itemsOf } from '../../make/services/stores/items-of.ts'

const login = { username: 'desk', password: 'secret of the desk' }
let service: TestService
let [deployment, tenant, channel]: Mailbox[] = []
beforeAll(async () => {
  ;[deployment, tenant, channel] = await Promise.all([openMailbox(), openMailbox(), openMailbox({ login })])
  service = await startService({
    parameters: {
      MailHost: '127.0.0.1',
      MailPort: String(deployment?.port),
      MailFromAddress: 'platform@acme.test',
      AppUrl: 'https://app.acme.test',
    },
  })
})
afterAll(async () => {
  await service?.stop()
  await Promise.all([deployment, tenant, channel].map((mailbox) => mailbox?.close()))
})
beforeEach(() => {
  for (const mailbox of [deployment, tenant, channel]) mailbox?.received.splice(0)
})

const api = async (method: string, path: string, body?: unknown) => {
  const answer = await service.api(method, path, { token: service.admin.token, body })
  expect(answer.status).toBeLessThan(300)
  return answer.body?.data
}
/** Has a mail sent to each address, and answers the senders of what arrived at each server. */
async function senders(ask: () => Promise<unknown>): Promise<(string | undefined)[][]> {
  await ask()
  await service.cloud.idle()
  return [deployment, tenant, channel].map((mailbox) => mailbox?.received.map(({ from }) => from) ?? [])
}
const invite = (email: string) => () => api('POST', '/api/tenant/invite', { email, roles: ['user'] })

describe('the mail of an account', () => {
  it('goes through the deployment, the settings of the tenant, or its default mail channel, the last one first', async () => {
    expect(await senders(invite('one@acme.test'))).toEqual([['platform@acme.test'], [], []])

    const settings = { MAIL_HOST: '127.0.0.1', MAIL_PORT: tenant?.port, MAIL_FROM_ADDRESS: 'settings@acme.test' }
    await api('PUT', '/api/sys/settings', settings)
    expect(await senders(invite('two@acme.test'))).toEqual([['platform@acme.test'], ['settings@acme.test'], []])

    const { id } = await api('POST', '/api/sys/channels', {
      name: 'mails',
      type: 'email',
      is_default: true,
      config: {
        transport: 'smtp',
        host: '127.0.0.1',
        port: channel?.port,
        ...login,
        encryption: 'none',
        from_address: 'channel@acme.test',
      },
    })
    expect((await senders(invite('three@acme.test')))[2]).toEqual(['channel@acme.test'])
    expect(channel?.received).toMatchObject([{ to: ['three@acme.test'], user: 'desk' }])

    await api('PUT', `/api/sys/channels/${id}`, { is_enabled: false })
    expect((await senders(invite('four@acme.test')))[1]).toEqual(['settings@acme.test', 'settings@acme.test'])
    await api('PUT', `/api/sys/channels/${id}`, { is_enabled: true })
  })

  it('is no delivery, and its secret is in no row', async () => {
    const { role } = await userWith(service, [])
    const email = `${role}@acme.test`
    await service.api('POST', '/api/password/forgot', { body: { email } })
    await service.cloud.idle()
    const secret = /password\/reset\/([A-Za-z0-9_-]{43})/.exec(channel?.textFor(email) ?? '')?.[1] as string
    expect(secret).toHaveLength(43)
    expect(await api('GET', '/api/sys/deliveries')).toEqual([])
    expect(JSON.stringify(await itemsOf(service, ''))).not.toContain(secret)
  })
})
