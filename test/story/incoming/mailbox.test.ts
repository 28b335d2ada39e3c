import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mailboxKey } from '../../../shared/platform/store/keys/messages/mailbox.ts'
import { pollNow } from '../../make/builders/messages/due-mailbox.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

/* Without a mail server: what administrators are told. Real mailboxes are in test/servers. */

let service: TestService
beforeAll(async () => (service = await sharedService()))
afterAll(() => service.stop())

const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const save = (settings: object, token?: string) => api('PUT', '/api/sys/settings', settings, token)
const dueAt = async (): Promise<string | undefined> =>
  ((await service.store.get(service.tenant, mailboxKey(service.tenant)))?.s20 as string | undefined)?.split('#')[0]

it('a tenant without a mailbox learns what is missing', async () => {
  for (const path of ['fetch-imap', 'test-imap'])
    expect(await api('POST', `/api/sys/settings/${path}`)).toMatchObject({
      status: 422,
      body: {
        code: 'mailbox_not_configured',
        message: 'The mailbox is not set up: IMAP_HOST, IMAP_USERNAME, IMAP_PASSWORD are missing.',
        errors: { IMAP_HOST: ['The setting IMAP_HOST is required.'] },
      },
    })
})

it('a mailbox is due a minute after it is saved, and no more when its settings are removed', async () => {
  expect(await dueAt()).toBeUndefined()
  await save({ IMAP_HOST: '127.0.0.1', IMAP_PORT: 1, IMAP_USERNAME: 'desk' })
  expect(await dueAt()).toBeUndefined()
  const from = Date.now()
  await save({ IMAP_PASSWORD: 'hush-hush 0451' })
  expect(Date.parse((await dueAt()) ?? '') - from).toBeGreaterThanOrEqual(60_000)
  expect(Date.parse((await dueAt()) ?? '') - from).toBeLessThan(65_000)
  await save({ IMAP_HOST: null })
  expect(await dueAt()).toBeUndefined()
})

it('a mail server that refuses connections is named, and asked again in the background', async () => {
  await save({ IMAP_HOST: '127.0.0.1', IMAP_PORT: 1, IMAP_USERNAME: 'desk', IMAP_PASSWORD: 'hush-hush 0451' })
  const message = 'The mail server refused the connection: 127.0.0.1, port 1. Check host and port.'
  for (const path of ['test-imap', 'fetch-imap'])
    expect(await api('POST', `/api/sys/settings/${path}`)).toMatchObject({
      status: 422,
      body: { code: 'mailbox_unreachable', message },
    })
  await pollNow(service, service.tenant)
  await service.cloud.idle()
  // The second failure.
  expect(Date.parse((await dueAt()) ?? '') - Date.now()).toBeGreaterThan(100_000)
  expect((await service.store.get(service.tenant, mailboxKey(service.tenant)))?.last_error).toBe(message)
})

it('a server that greets and hangs up is told from one that is missing', async () => {
  const server = createServer((socket) => socket.end('* BYE desk hush-hush 0451: go away\r\n'))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  await save({ IMAP_PORT: (server.address() as AddressInfo).port })
  const { status, body } = await api('POST', '/api/sys/settings/test-imap')
  server.close()
  expect([status, body.code]).toEqual([422, 'mailbox_unreachable'])
  expect(body.message).toContain('ended the connection')
  expect(body.message).not.toContain('hush-hush')
})

it('only administrators fetch and test, each for their own company', async () => {
  const { token: member } = await userWith(service, ['*'])
  const { token } = await otherTenant(service)
  for (const path of ['fetch-imap', 'test-imap']) {
    expect((await api('POST', `/api/sys/settings/${path}`, undefined, member)).status).toBe(403)
    expect((await api('POST', `/api/sys/settings/${path}`, undefined, token)).body.code).toBe('mailbox_not_configured')
  }
})
