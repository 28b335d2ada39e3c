import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type ServiceOptions, startService, type TestService } from '../../make/services/service.ts'

async function start(options: ServiceOptions = {}): Promise<TestService> {
  const service = await startService({ log: () => {}, ...options })
  onTestFinished(() => service.stop())
  return service
}
const createChannel = (service: TestService, config: object) =>
  service.api('POST', '/api/sys/channels', {
    token: service.admin.token,
    body: { name: 'Mail', type: 'email', is_default: true, config: { from_address: 'desk@acme.test', ...config } },
  })
const testMail = (service: TestService, token = service.admin.token) =>
  service.api('POST', '/api/sys/settings/test-email', { token, body: { to: 'ada@example.com' } })
const from = ({ cloud }: TestService) => cloud.outbox.list({ type: 'mail' }).map((mail) => mail.from)

it('a channel with the transport local, and a mailbox, work on after a restart on other ports', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'local-mail-'))
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }))
  const first = await start({ dataDirectory })
  const { token } = first.admin
  expect(await createChannel(first, { transport: 'local' })).toMatchObject({ status: 201 })
  const settings = { IMAP_HOST: 'local', IMAP_USERNAME: 'desk@acme.test', IMAP_PASSWORD: 'any' }
  expect((await first.api('PUT', '/api/sys/settings', { token, body: settings })).status).toBe(200)
  const written = { to: 'desk@acme.test', from: 'ada@example.com', subject: 'Before', text: 'Hello' }
  expect((await first.api('POST', '/_local/mailbox', { body: written })).status).toBe(201)
  await first.stop()

  const second = await start({ dataDirectory, seeded: false })
  expect((await testMail(second, token)).body.data).toMatchObject({ status: 'delivered', error: null })
  expect(from(second)).toEqual(['desk@acme.test'])
  const fetched = await second.api('POST', '/api/sys/settings/fetch-imap', { token })
  expect(fetched.body.data).toMatchObject({ fetched: 1, created: 1, skipped: 0 })
  const tested = await second.api('POST', '/api/sys/settings/test-imap', { token })
  expect(tested.body.data).toMatchObject({ ok: true, messages: 1 })
})

it('a company without mail settings sends through the embedded server; its own settings win', async () => {
  const service = await start()
  expect((await testMail(service)).body.data).toMatchObject({ status: 'delivered' })
  expect(from(service)).toEqual(['service@local.test'])
  // Incomplete settings are somebody's work in progress: nothing takes their place.
  const body = { MAIL_FROM_ADDRESS: 'desk@acme.test' }
  await service.api('PUT', '/api/sys/settings', { token: service.admin.token, body })
  expect((await testMail(service)).status).toBe(422)
})

it('the transport names its own server, and takes no other', async () => {
  const service = await start()
  expect((await createChannel(service, { transport: 'local', host: 'mail.acme.test', port: 25 })).body.errors).toEqual({
    'config.host': ['The transport local takes no host: the local cloud knows its server.'],
    'config.port': ['The transport local takes no port: the local cloud knows its server.'],
  })
})

it('a deployment without the embedded servers refuses them by name, and sends nothing by itself', async () => {
  const service = await start({ environment: { LOCAL_MAIL_PORT: '', LOCAL_MAILBOX_PORT: '' } })
  expect((await createChannel(service, { transport: 'local' })).body.errors).toEqual({
    'config.transport': [expect.stringContaining('which this deployment does not have. Use smtp or ses.')],
  })
  const body = { IMAP_HOST: 'local' }
  const saved = await service.api('PUT', '/api/sys/settings', { token: service.admin.token, body })
  expect([saved.status, saved.body.errors]).toEqual([
    422,
    { IMAP_HOST: [expect.stringContaining('Name the host of your mailbox.')] },
  ])
  expect((await testMail(service)).body.errors.channel).toEqual([
    expect.stringContaining('there is no default email channel'),
  ])
})
