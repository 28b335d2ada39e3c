import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

/* Two desks that confirm what they get, and write to each other: through servers that leave mails as they are, and that do not. */

interface Desk {
  readonly service: TestService
  readonly address: string
  readonly box: number
}
let desks: Desk[]

beforeAll(async () => {
  desks = await Promise.all([openDesk(), openDesk()])
})
afterAll(() => Promise.all((desks ?? []).map(({ service }) => service.stop())))

async function api({ service }: Pick<Desk, 'service'>, method: string, path: string, body?: unknown) {
  const answer = await service.api(method, path, { token: service.admin.token, body })
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}

/** A desk that makes a ticket of each mail, and confirms it to its sender. */
async function openDesk(): Promise<Desk> {
  const service = await sharedService()
  const address = `desk@${service.tenant.slug}.test`
  const desk = { service, address }
  await api(desk, 'POST', '/api/sys/entities', {
    name: 'tickets',
    title_field: 'title',
    table_fields: [
      { name: 'title', type: 'text' },
      { name: 'sender', type: 'email' },
    ],
  })
  const config = { transport: 'local', from_address: address }
  await api(desk, 'POST', '/api/sys/channels', { name: 'Mail', type: 'email', is_default: true, config })
  const template = { name: 'Received', code: 'received', subject: 'Received: {{title}}', body: '<p>We have it.</p>' }
  await api(desk, 'POST', '/api/sys/notification_templates', template)
  await setHooks(service, 'tickets', [
    ['after_create', `$api.sendEmail('received', $data.sender, { title: $data.title })`],
  ])
  const incoming = { protocol: 'local' }
  const box = await api(desk, 'POST', '/api/sys/mailboxes', { name: 'Desk', address, incoming })
  await api(desk, 'POST', '/api/sys/incoming-actions', {
    name: 'Each mail',
    channel: 'email',
    is_automatic: true,
    // Also what programs wrote: the worst that an administrator may set.
    condition: { _or: [{ 'payload.auto': null }, { _not: { 'payload.auto': null } }] },
    target_model: 'tickets',
    field_mapping: { title: 'subject', sender: 'from_email' },
  })
  return { ...desk, box: box.id }
}

const mailsTo = ({ service, address }: Desk) =>
  service.cloud.outbox.list({ type: 'mail' }).filter(({ to }) => to.includes(address))

/** Takes the mails to a desk there, each once, as `onTheWay` leaves them; answers how many came. */
async function carry(desk: Desk, carried: Set<string>, onTheWay: (raw: string) => string): Promise<number> {
  const fresh = mailsTo(desk).filter(({ id }) => !carried.has(`${desk.address} ${id}`))
  for (const { id, source } of fresh) {
    carried.add(`${desk.address} ${id}`)
    await fetch(`${desk.service.url}/_local/mailbox?to=${encodeURIComponent(desk.address)}`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822' },
      body: onTheWay(source ?? ''),
    })
  }
  await api(desk, 'POST', `/api/sys/mailboxes/${desk.box}/fetch`)
  await desk.service.cloud.idle()
  return fresh.length
}

/** Keeps who writes to whom, the subject and the content: every mark of ours is gone. */
function withoutMarks(raw: string): string {
  const end = raw.indexOf('\r\n\r\n')
  const headers = raw.slice(0, end).split(/\r\n(?![ \t])/)
  return headers.filter((one) => /^(?:from|to|subject|mime-version|content-)/i.test(one)).join('\r\n') + raw.slice(end)
}

describe('two desks that confirm each other’s mails', () => {
  it.each([
    ['leave mails as they are', (raw: string) => raw, 2],
    ['take all marks of programs away', withoutMarks, 10],
  ])('stop, where the servers between them %s', async (_, onTheWay, most) => {
    const [one, other] = desks as [Desk, Desk]
    const before = mailsTo(one).length + mailsTo(other).length
    const carried = new Set([one, other].flatMap((desk) => mailsTo(desk).map(({ id }) => `${desk.address} ${id}`)))
    await api(one, 'POST', '/api/e/tickets', { title: `To a partner (${most})`, sender: other.address })
    await one.service.cloud.idle()
    let rounds = 0
    while ((await carry(other, carried, onTheWay)) + (await carry(one, carried, onTheWay)) > 0) {
      rounds += 1
      expect(rounds).toBeLessThan(20)
    }
    const written = mailsTo(one).length + mailsTo(other).length - before
    expect(written).toBeGreaterThan(0)
    expect(written).toBeLessThanOrEqual(most + 1)
  })
})
