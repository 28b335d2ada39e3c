import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findTenantBySlug } from '../../../shared/accounts/tenants/find-tenant.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { threadKeys } from '../../../shared/messages/deliveries/threads/thread-key.ts'
import { storeMail } from '../../../shared/messages/mailbox/mail/store-mail.ts'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { mailOf, partsOf, text } from '../../make/loads/mails/mail-shape.ts'
import { type Mailbox, openMailbox } from '../../make/services/mailboxes/mailbox.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let mailbox: Mailbox
let tenant: Tenant
beforeAll(async () => {
  mailbox = await openMailbox({})
  service = await sharedService()
  const config = {
    transport: 'smtp',
    host: '127.0.0.1',
    port: mailbox.port,
    encryption: 'none',
    from_address: 'desk@answers-to-mails.test',
  }
  await makeTable(service, 'requests', [{ name: 'title', type: 'text' }])
  await makeTable(service, 'others', [{ name: 'title', type: 'text' }])
  await api('POST', '/api/sys/channels', { name: 'mail', type: 'email', is_default: true, config })
  await api('POST', '/api/sys/notification_templates', {
    name: 'Received',
    code: 'received',
    subject: '{{title}} {{record_token}}',
    body: '<p>We have {{title}}: {{record_token}}</p>',
  })
  tenant = (await findTenantBySlug(service.store, service.tenant.slug)) as Tenant
})
afterAll(async () => {
  await service?.stop()
  await mailbox?.close()
})
beforeEach(() => void (mailbox.received.length = 0))

const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
async function eventually<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (let tries = 0; tries < 900; tries++) {
    const found = await look()
    if (found) return found
    await sleep(100)
  }
  throw new Error('nothing happened for 90 s')
}

/** Makes a record whose hook mails somebody; answers the record's id and the headers of the mail. */
async function mailed(recipient: string, params = '{ title: $data.title }') {
  await setHooks(service, 'requests', [['after_create', `$api.sendEmail('received', '${recipient}', ${params})`]])
  const { body } = await api('POST', '/api/e/requests', { title: 'Lamp' })
  const raw = await eventually(async () => mailbox.received.at(-1)?.raw)
  const header = (name: string): string =>
    new RegExp(`^${name}: (.*)\r$`, 'm').exec(raw.replaceAll(/\r\n[ \t]+/g, ' '))?.[1] ?? ''
  const [delivery] = (await api('GET', `/api/sys/deliveries?model=requests&record_id=${body.data.id}`)).body.data
  return { id: body.data.id as number, header, delivery: delivery.id as number }
}

/** A mail arrives; answers the message that it became. */
async function arrives(headers: Parameters<typeof mailOf>[0], content?: string) {
  const { store } = service
  // Nobody reads the parts of these mails.
  const putObject = async () => {}
  const raw = mailOf({ From: 'client@example.com', ...headers }, content)
  const mail = { raw, sizeBytes: raw.length, internalDate: new Date() }
  await storeMail(
    {
      store,
      clock,
      threadKey: threadKeys({ store, clock }),
      putObject,
      fetchObject: async () => Buffer.alloc(0),
      trustedServer: async () => undefined,
      tableNames: async () => ['others', 'requests'],
    },
    tenant,
    mail,
    [],
  )
  return (await api('GET', '/api/sys/incoming_messages?per_page=1')).body.data[0]
}

describe('the answer to a mail about a record', () => {
  it('is joined to the record by the headers that mail programs set', async () => {
    const { id, header } = await mailed('client@example.com')
    const message = await arrives({ 'In-Reply-To': header('Message-ID'), Subject: 'Re: Lamp' })
    expect(message).toMatchObject({
      channel: 'email',
      reply_to: { model: 'requests', id },
      from_email: 'client@example.com',
    })
  })

  it('is joined to the record by the token in its subject alone', async () => {
    const { id, header } = await mailed('client@example.com')
    expect(header('Subject')).toMatch(new RegExp(`^Lamp \\[#requests-${id}-[a-z2-7]{8}\\]$`))
    expect((await arrives({ Subject: `AW: ${header('Subject')}` })).reply_to).toEqual({ model: 'requests', id })
  })

  it('is joined by the number in its subject when its sender got a mail about the record, and by nobody else', async () => {
    const { id } = await mailed('client@example.com')
    const other = (await api('POST', '/api/e/others', { title: 'Of another table' })).body.data.id
    expect(other).toBeGreaterThan(0)
    const subject = `Re: [Desk #${id}] Lamp`
    expect((await arrives({ Subject: subject })).reply_to).toEqual({ model: 'requests', id })
    expect((await arrives({ From: 'Client@Example.com', Subject: `AW: [#${id}]` })).reply_to).toEqual({
      model: 'requests',
      id,
    })
    expect((await arrives({ From: 'stranger@example.com', Subject: subject })).reply_to).toBeNull()
  })

  it('is an ordinary message when the record was deleted', async () => {
    const { id, header } = await mailed('client@example.com')
    await api('DELETE', `/api/e/requests/${id}`)
    expect((await arrives({ 'In-Reply-To': header('Message-ID') })).reply_to).toBeNull()
  })

  it('of a user says who it was', async () => {
    const { email, userId } = service.admin
    const { header } = await mailed(email)
    const message = await arrives({
      From: email,
      References: header('References'),
      'In-Reply-To': header('Message-ID'),
    })
    expect(message.payload.reply_user_id).toBe(userId)
  })
})

describe('record_token', () => {
  it('is what the script says when it names a value itself', async () => {
    const { header } = await mailed('client@example.com', "{ title: 'A', record_token: 'own' }")
    expect(header('Subject')).toBe('A own')
  })

  it('is shown as a sample in the preview', async () => {
    const [template] = (await api('GET', '/api/sys/notification_templates')).body.data
    const preview = async (params: object) =>
      (await api('POST', `/api/sys/notification_templates/${template.id}/preview`, { params })).body.data.subject
    expect(await preview({ title: 'Lamp' })).toBe('Lamp [#requests-42-x7k2mp9q]')
    expect(await preview({ title: 'Lamp', record_token: 'own' })).toBe('Lamp own')
  })
})

it('a bounce fails the delivery of the mail that it returns', async () => {
  const { header, delivery } = await mailed('client@example.com')
  await eventually(async () => (await api('GET', `/api/sys/deliveries/${delivery}`)).body.data.status === 'delivered')
  const report =
    'Final-Recipient: rfc822; client@example.com\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 gone'
  const message = await arrives(
    { From: 'MAILER-DAEMON@mx.test', 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b' },
    partsOf('b', [
      text('Sorry'),
      text(`${report}\r\n`, 'message/delivery-status'),
      text(`Message-ID: ${header('Message-ID')}\r\n`),
    ]),
  )
  expect(message.payload).toMatchObject({ auto: 'bounce' })
  expect((await api('GET', `/api/sys/deliveries/${delivery}`)).body.data).toMatchObject({
    status: 'failed',
    last_error: 'The mail came back: status 5.1.1, code 550.',
  })
})

describe('a mail that a rule makes a request of', () => {
  let rule: number
  beforeAll(async () => {
    await setHooks(service, 'requests', [])
    const script = "$api.sendEmail('received', $incoming.from_email, { title: $data.title })"
    const body = { name: 'Mails', channel: 'email', target_model: 'requests', is_automatic: true, script }
    const made = await api('POST', '/api/sys/incoming-actions', { ...body, field_mapping: { title: 'subject' } })
    rule = made.body.data.id
  })
  afterAll(() => api('DELETE', `/api/sys/incoming-actions/${rule}`))

  const read = async (id: number) => (await api('GET', `/api/sys/incoming_messages/${id}`)).body.data
  const deliveriesTo = async (recipient: string): Promise<{ recipient: string; status: string }[]> => {
    const { data } = (await api('GET', '/api/sys/deliveries?per_page=100')).body
    return data.filter((one: { recipient: string }) => one.recipient === recipient)
  }
  const history = '\n\nOn Fri, Nov 20, 2026 at 9:00 AM Carl <carl@customer.example> wrote:\n> My lamp is broken\n'

  it('joins the answers of colleagues, also before it is one, and nobody who only knows its id', async () => {
    const id = '<first@customer.example>'
    const first = await arrives({ From: 'Carl <carl@customer.example>', 'Message-ID': id })
    const answer = {
      From: 'Dora <dora@customer.example>',
      'Message-ID': '<second@customer.example>',
      'In-Reply-To': id,
    }
    const second = await arrives(answer, `It is the red one.${history}`)
    const stranger = await arrives({ From: 'eve@example.com', 'Message-ID': '<third@example.com>', 'In-Reply-To': id })
    await service.cloud.idle()
    const [{ model, id: request }] = (await read(first.id)).records
    const record = { model, id: request }
    const joined = await read(second.id)
    expect(joined).toMatchObject({ reply_to: record, payload: { reply_to: record }, records: [record] })
    expect(joined.body).toContain('> My lamp is broken')
    expect((await api('GET', `/api/e/requests/${request}/comments`)).body.data).toMatchObject([
      { body: 'It is the red one.', from: { email: 'dora@customer.example' } },
    ])
    const other = await read(stranger.id)
    expect([other.reply_to, other.records]).not.toMatchObject([expect.anything(), [record]])
    expect(other.records).toHaveLength(1)
  })

  it('is answered five times an hour, and never when it comes from an own address', async () => {
    const from = 'loop@machine.example'
    for (let n = 0; n < 6; n += 1) await arrives({ From: from, 'Message-ID': `<${n}@machine.example>` })
    await arrives({ From: 'Desk <desk@answers-to-mails.test>', 'Message-ID': '<own@answers-to-mails.test>' })
    await service.cloud.idle()
    expect((await deliveriesTo(from)).filter(({ status }) => status !== 'cancelled')).toHaveLength(5)
    const reason = (word: string) => ({ status: 'cancelled', last_error: expect.stringContaining(word) })
    expect((await deliveriesTo(from))[0]).toMatchObject(reason('MAIL_ANSWERS_PER_HOUR'))
    expect(await deliveriesTo('desk@answers-to-mails.test')).toMatchObject([reason('own mailbox')])
  })

  it('is answered as often by the rule and the hooks behind it together', async () => {
    const from = 'hooked@machine.example'
    await setHooks(service, 'requests', [['after_create', `$api.sendEmail('received', '${from}', {})`]])
    for (let n = 0; n < 3; n += 1) await arrives({ From: from, 'Message-ID': `<hooked-${n}@machine.example>` })
    await service.cloud.idle()
    const statuses = (await deliveriesTo(from)).map(({ status }) => status)
    expect([statuses.length, statuses.filter((one) => one === 'cancelled').length]).toEqual([6, 1])
  })
})
