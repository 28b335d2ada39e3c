import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailboxKey } from '../../../shared/platform/store/keys/messages/mailbox.ts'
import { pollNow } from '../../make/builders/messages/due-mailbox.ts'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => (service = await sharedService()))
afterAll(() => service.stop())

const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
let names = 0
/** A mailbox of this machine, at an address of its own. */
async function mailbox(more: object = {}) {
  names += 1
  const address = `box${names}@${service.tenant.slug}.test`
  const { status, body } = await api('POST', '/api/sys/mailboxes', {
    name: `Box ${names}`,
    address,
    incoming: { protocol: 'local' },
    ...more,
  })
  expect([status, body.errors ?? null]).toEqual([201, null])
  return body.data as { id: number; address: string; version: number }
}
/** Somebody writes a mail, which arrives at some addresses. */
async function deliver(to: readonly string[], subject: string, headers: readonly string[] = []) {
  const mail = [
    `From: Ada <ada@customer.test>`,
    `To: ${to.join(', ')}`,
    `Subject: ${subject}`,
    `Message-ID: <${subject.replaceAll(' ', '.')}@customer.test>`,
    ...headers,
    '',
    `The text of ${subject}.`,
    '',
  ].join('\r\n')
  for (const address of to)
    await fetch(`${service.url}/_local/mailbox?to=${encodeURIComponent(address)}`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822' },
      body: mail,
    })
}
const fetched = async (id: number) => (await api('POST', `/api/sys/mailboxes/${id}/fetch`)).body
const messages = async (subject: string) =>
  ((await api('GET', '/api/sys/incoming_messages?per_page=100')).body.data as { subject: string }[]).filter(
    (one) => one.subject === subject,
  )

describe('several mailboxes', () => {
  it('are fetched each by itself, and each mail says where it arrived', async () => {
    const [support, sales] = [await mailbox(), await mailbox()]
    await deliver([support.address], 'for support')
    await deliver([sales.address], 'for sales')
    expect(await fetched(support.id)).toMatchObject({ data: { fetched: 1, created: 1, skipped: 0, remaining: 0 } })
    expect(await fetched(sales.id)).toMatchObject({ data: { fetched: 1, created: 1 } })
    expect(await fetched(sales.id)).toMatchObject({ data: { fetched: 0, created: 0 } })
    expect(await messages('for support')).toMatchObject([{ mailbox_id: support.id }])
    expect(await messages('for sales')).toMatchObject([{ mailbox_id: sales.id }])
  })

  it('take a mail once that arrives at two of them', async () => {
    const [support, sales] = [await mailbox(), await mailbox()]
    await deliver([support.address, sales.address], 'for both')
    expect(await fetched(sales.id)).toMatchObject({ data: { created: 1 } })
    expect(await fetched(support.id)).toMatchObject({ data: { fetched: 1, created: 0, skipped: 1 } })
    expect(await messages('for both')).toMatchObject([{ mailbox_id: sales.id }])
  })

  it('are fetched by themselves from a minute after they are saved', async () => {
    const { id, address } = await mailbox()
    await deliver([address], 'by itself')
    await pollNow(service, service.tenant, id)
    await service.cloud.idle()
    expect(await messages('by itself')).toMatchObject([{ mailbox_id: id }])
    const { data } = (await api('GET', `/api/sys/mailboxes/${id}/health`)).body
    expect(data).toMatchObject({ waiting: 0, error: null })
    expect([data.last_fetched_at, data.last_message_at]).toEqual([expect.any(String), expect.any(String)])
  })

  it('say why they cannot be fetched, naming what is to be changed', async () => {
    const auth = { kind: 'password', password: 'hush-hush 0451' }
    const { id } = await mailbox({
      incoming: { protocol: 'imap', host: '127.0.0.1', port: 1, encryption: 'none', auth },
    })
    const message = 'The mail server refused the connection: 127.0.0.1, port 1. Check host and port.'
    for (const verb of ['test', 'fetch'])
      expect(await api('POST', `/api/sys/mailboxes/${id}/${verb}`)).toMatchObject({
        status: 422,
        body: { code: 'mailbox_unreachable', message },
      })
    expect((await api('GET', `/api/sys/mailboxes/${id}/health`)).body.data).toEqual({
      last_fetched_at: null,
      last_message_at: null,
      waiting: 0,
      error: message,
    })
  })

  it('are not fetched while they are disabled, and can be tested', async () => {
    const { id } = await mailbox({ is_enabled: false })
    expect(await fetched(id)).toMatchObject({ code: 'mailbox_not_configured' })
    expect((await api('POST', `/api/sys/mailboxes/${id}/test`)).body.data).toMatchObject({ ok: true, messages: 0 })
  })
})

describe('the administration of mailboxes', () => {
  it('fills in what is usual, and never answers a secret', async () => {
    const auth = { kind: 'password', password: 'hush-hush 0451' }
    const { id } = await mailbox({ incoming: { protocol: 'imap', host: 'imap.example.com', auth } })
    const read = await api('GET', `/api/sys/mailboxes/${id}`)
    expect(read.body.data.incoming).toEqual({
      protocol: 'imap',
      host: 'imap.example.com',
      port: 993,
      encryption: 'ssl',
      folder: 'INBOX',
      auth: { kind: 'password', password: '********' },
    })
    const again = await api('PUT', `/api/sys/mailboxes/${id}`, read.body.data)
    expect([again.status, again.body.data.version]).toEqual([200, 1])
    const moved = { ...read.body.data.incoming, folder: 'Support' }
    const changed = await api('PUT', `/api/sys/mailboxes/${id}`, { incoming: moved })
    expect(changed.body.data).toMatchObject({ version: 2, incoming: { folder: 'Support' } })
    expect(JSON.stringify((await api('GET', '/api/sys/audit?per_page=100')).body)).not.toContain('hush-hush')
  })

  it.each([
    [{ protocol: 'local', host: 'x.test' }, 'incoming.host'],
    [{ protocol: 'imap', host: 'x.test' }, 'incoming.auth'],
    [{ protocol: 'imap', auth: { kind: 'password', password: 'x' } }, 'incoming.host'],
    [{ protocol: 'imap', host: 'x.test', auth: { kind: 'password', password: '********' } }, 'incoming.auth.password'],
    [{ protocol: 'graph', auth: { kind: 'password', password: 'x' } }, 'incoming.auth'],
    [{ protocol: 'pop3' }, 'incoming.protocol'],
  ])('refuses what no mailbox can be: %j', async (incoming, path) => {
    const { status, body } = await api('POST', '/api/sys/mailboxes', { name: 'No', address: 'no@x.test', incoming })
    expect([status, Object.keys(body.errors)]).toEqual([422, [path]])
  })

  it.each([
    [{ table: 'request' }, 'table'],
    [{ channel_id: 9_999 }, 'channel_id'],
    [{ values: { priority: 3 } }, 'values'],
    [{ aliases: ['not an address'] }, 'aliases.0'],
  ])('refuses what is not there: %j', async (more, path) => {
    const body = { name: 'No', address: 'no@x.test', incoming: { protocol: 'local' }, ...more }
    const answer = await api('POST', '/api/sys/mailboxes', body)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [path]])
  })

  it('shows everybody id, name and address, and the rest to administrators', async () => {
    const { id } = await mailbox()
    const { token } = await userWith(service, [])
    const [shown] = (await api('GET', '/api/sys/mailboxes', undefined, token)).body.data
    expect(Object.keys(shown)).toEqual(['id', 'name', 'address'])
    expect((await api('GET', `/api/sys/mailboxes/${id}`, undefined, token)).status).toBe(403)
    for (const verb of ['test', 'fetch'])
      expect((await api('POST', `/api/sys/mailboxes/${id}/${verb}`, undefined, token)).status).toBe(403)
  })

  it('keeps those of a company from every other', async () => {
    const { id } = await mailbox()
    const { token } = await otherTenant(service)
    expect((await api('GET', '/api/sys/mailboxes', undefined, token)).body.data).toEqual([])
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/fetch'],
      ['GET', '/health'],
    ] as const)
      expect(
        (await api(method, `/api/sys/mailboxes/${id}${path}`, method === 'PUT' ? {} : undefined, token)).status,
      ).toBe(404)
  })

  it('has one default at most: first that of the settings, then the one that is chosen', async () => {
    const settings = { IMAP_HOST: 'local', IMAP_USERNAME: 'desk@x.test', IMAP_PASSWORD: 'any' }
    await api('PUT', '/api/sys/settings', settings)
    const defaults = async () =>
      ((await api('GET', '/api/sys/mailboxes')).body.data as { id: number; is_default: boolean }[])
        .filter((one) => one.is_default)
        .map(({ id }) => id)
    expect(await defaults()).toEqual([0])
    expect((await api('GET', '/api/sys/mailboxes/0')).body.data).toMatchObject({
      address: 'desk@x.test',
      incoming: { protocol: 'local' },
    })
    expect((await api('PUT', '/api/sys/mailboxes/0', { name: 'Mine' })).body.code).toBe('mailbox_of_settings')
    const [one, two] = [await mailbox({ is_default: true }), await mailbox({ is_default: true })]
    expect(await defaults()).toEqual([two.id])
    expect((await api('DELETE', `/api/sys/mailboxes/${two.id}`)).status).toBe(204)
    expect(await defaults()).toEqual([0])
    await api('PUT', `/api/sys/mailboxes/${one.id}`, { is_default: true })
    expect(await defaults()).toEqual([one.id])
    await deliver(['desk@x.test'], 'to the settings')
    expect(await fetched(0)).toMatchObject({ data: { created: 1 } })
    expect(await messages('to the settings')).toMatchObject([{ mailbox_id: 0 }])
    await api('PUT', '/api/sys/settings', { IMAP_HOST: null })
  })

  it('leaves nothing of a mailbox behind that polls could find', async () => {
    const { id } = await mailbox()
    await fetched(id)
    expect((await api('DELETE', `/api/sys/mailboxes/${id}`)).status).toBe(204)
    expect((await api('POST', `/api/sys/mailboxes/${id}/fetch`)).status).toBe(404)
    const row = () => service.store.get(service.tenant, mailboxKey(service.tenant, id))
    expect(await row()).toBeUndefined()
    // A wake that was on its way.
    await pollNow(service, service.tenant, id)
    await service.cloud.idle()
    expect((await row())?.lease_holder).toBeUndefined()
    expect((await api('GET', `/api/sys/mailboxes/${id}/health`)).status).toBe(404)
  })
})
