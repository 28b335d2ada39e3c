import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startDemo, type DemoService } from '../../make/services/demo-service.ts'

/* What somebody tries in the first minutes after `npm start`: mail out, the customer's answer, mail in. */

let service: DemoService
let token: string
beforeAll(async () => {
  service = await startDemo()
  token = await service.signIn('admin@example.com')
})
afterAll(() => service?.stop())

const api = async (method: string, path: string, body?: unknown): Promise<any> => {
  const answer = await service.api(method, path, { token, body })
  expect([path, answer.status, answer.body]).toEqual([path, expect.toSatisfy((s) => s < 300), expect.anything()])
  return answer.body
}
const mailTo = async (address: string): Promise<any> => {
  await service.cloud.idle()
  return service.cloud.outbox.list({ type: 'mail', to: address })[0]
}
const write = (body: object) => service.api('POST', '/_local/mailbox', { body })
const fetchMails = async () => {
  const { data } = await api('POST', '/api/sys/settings/fetch-imap')
  await service.cloud.idle()
  return data
}

it('a test mail is in the outbox', async () => {
  expect(await api('POST', '/api/sys/settings/test-email', { to: 'me@example.com' })).toMatchObject({
    data: { status: 'delivered' },
  })
  expect(await mailTo('me@example.com')).toMatchObject({
    from: 'Demo support <support@demo.example>',
    subject: 'Test mail',
  })
})

it('a hook mails the customer, whose answer becomes a comment of the same request', async () => {
  await api('PUT', '/api/sys/entities/name/requests', {
    name: 'requests',
    automations: [
      {
        kind: 'after_create',
        name: 'tell the client',
        script:
          "$client = $api->get('clients', $data->client_id); $api->sendEmail('request_created', $client->email, { request: { id: $context.id, title: $data->title }, client: { name: $client->name } })",
      },
    ],
  })
  const { data: request } = await api('POST', '/api/e/requests', { title: 'The lamp flickers', client_id: 1 })
  const mail = await mailTo('ann@northwind.example')
  expect(mail.subject).toBe(`Request ${request.id}: The lamp flickers`)

  expect((await write({ answers: mail.id, text: 'It is the one by the door.' })).status).toBe(201)
  expect(await fetchMails()).toMatchObject({ fetched: 1, created: 1, skipped: 0 })
  const { data: comments } = await api('GET', `/api/e/requests/${request.id}/comments`)
  // What the mail quotes is not repeated; the message keeps it.
  expect(comments).toMatchObject([{ body: 'It is the one by the door.' }])
  const { data: entries } = await api('GET', `/api/e/requests/${request.id}/timeline?kinds=message`)
  expect(entries[0].data).toMatchObject({
    body_new: 'It is the one by the door.',
    body: expect.stringContaining('> '),
  })
  const [message] = (await api('GET', '/api/sys/incoming_messages?channel=email')).data
  expect(message).toMatchObject({
    from_email: 'ann@northwind.example',
    subject: `Re: Request ${request.id}: The lamp flickers`,
    body: expect.stringMatching(/^It is the one by the door\.\n[^]*> /),
  })
})

it('a mail of somebody new becomes a request, once, however often the mailbox is fetched', async () => {
  const answer = await write({
    from: 'carla@southwind.example',
    from_name: 'Carla',
    to: 'Support@demo.example',
    subject: 'No heating',
    text: 'Since Monday.',
  })
  expect(answer).toMatchObject({ status: 201, body: { data: { to: 'Support@demo.example', uid: 2 } } })
  expect(await fetchMails()).toMatchObject({ created: 1 })
  expect(await fetchMails()).toMatchObject({ fetched: 0, created: 0, skipped: 0 })
  const { data: found } = await api('GET', `/api/e/requests?search=${encodeURIComponent('No heating')}`)
  expect(found).toMatchObject([{ data: { title: 'No heating', description: 'Since Monday.' } }])

  // A person answers: no program wrote that, and mail programs that hold back automatic mails let it through.
  await api('POST', `/api/e/requests/${found[0].id}/comments`, { body: 'We are on our way.' })
  const reply = await mailTo('carla@southwind.example')
  expect(reply.subject).toBe('Re: No heating')
  expect(reply.source).not.toMatch(/^Auto-Submitted:/im)
})

it.each([
  [{ answers: 1, text: 'x' }, 422, 'The outbox has no mail 1 (any more).'],
  [{ answers: 1 }, 422, /The body may have answers, text\.$/],
  [
    { to: 'nobody', from: 'a@b.test', text: 'x' },
    422,
    /^to: .*The body may have to, from, from_name, subject, text, html\.$/,
  ],
])('writing %j answers %i', async (body, status, message) => {
  const answer = await write(body)
  expect(answer.status).toBe(status)
  expect(answer.body.message).toMatch(message)
})

const handOver = async (file: string, { query = '', ...headers }: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(`${service.url}/_local/mailbox${query}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', ...headers },
    body: await readFile(join(import.meta.dirname, 'eml', file)),
  })
  return { status: answer.status, body: (await answer.json()) as { message?: string; data?: object } }
}

it('takes .eml files as mail programs save them, with their charsets, images and attachments', async () => {
  expect(await handOver('gmail-image-and-invoice.eml')).toMatchObject({
    status: 201,
    body: {
      data: {
        to: 'support@demo.example',
        from: 'Jörg Müller <joerg@suedwind.example>',
        subject: 'Heizung fällt aus – Büro 3',
        mailboxes: [{ to: 'support@demo.example' }],
      },
    },
  })
  expect((await handOver('outlook-windows-1252.eml', { 'content-type': 'text/plain; charset=utf-8' })).status).toBe(201)
  expect((await handOver('japanese-mbox.eml', { query: '?to=support@demo.example' })).status).toBe(201)
  expect(await fetchMails()).toMatchObject({ fetched: 3, created: 3, skipped: 0 })

  const { data: messages } = await api('GET', '/api/sys/incoming_messages?channel=email&per_page=3')
  expect(messages.map(({ from_name, subject }: any) => [from_name, subject])).toEqual([
    ['佐藤', 'プリンターが動きません'],
    ['Françoise Lefèvre', 'Facture – 1 200 € au lieu de 950 €'],
    ['Jörg Müller', 'Heizung fällt aus – Büro 3'],
  ])
  const { data: found } = await api('GET', `/api/e/requests?search=${encodeURIComponent('Heizung')}`)
  expect(found).toMatchObject([
    { data: { description: expect.stringContaining('seit heute früh ist es kalt: 14 °C.') } },
  ])
  const { data: heating } = await api('GET', `/api/sys/incoming_messages/${messages[2].id}`)
  expect(heating.attachments.map(({ name }: any) => name).toSorted()).toEqual(['Anzeige.png', 'Rechnung für März.pdf'])
})

it('takes no .eml file from a page of another site', async () => {
  const answer = await handOver('japanese-mbox.eml', { 'content-type': 'text/plain', origin: 'https://evil.example' })
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect(await fetchMails()).toMatchObject({ fetched: 0 })
})

it('mails are written from this machine only, as JSON or as .eml files', async () => {
  const asForm = await service.api('POST', '/_local/mailbox', {
    body: 'to=a',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(asForm.status).toBe(405)
})
