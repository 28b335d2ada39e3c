import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { findTenantBySlug } from '../../../shared/accounts/tenants/find-tenant.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { threadKeys } from '../../../shared/messages/deliveries/threads/thread-key.ts'
import { storeMail } from '../../../shared/messages/mailbox/mail/store-mail.ts'
import { userWith } from '../../make/builders/people.ts'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { sample, upload } from '../../make/builders/records/uploads.ts'
import { mailOf } from '../../make/loads/mails/mail-shape.ts'
import { type RuleWorld, ruleWorld } from '../../make/services/worlds/rule-world.ts'

let world: RuleWorld
let tenant: Tenant
const api: RuleWorld['api'] = (...given) => world.api(...given)

beforeAll(async () => {
  world = await ruleWorld()
  tenant = (await findTenantBySlug(world.service.store, world.service.tenant.slug)) as Tenant
})
afterAll(() => world?.service.stop())
beforeEach(() => world.clear())

async function user(): Promise<{ id: number; email: string }> {
  const { id } = await userWith(world.service, [])
  return (await api('GET', `/api/sys/users/${id}`)).body.data
}

/** A mail arrives in the mailbox; answers the record that its rule made. */
async function recordOfMail(headers: Parameters<typeof mailOf>[0]) {
  const { store, cloud } = world.service
  const raw = mailOf(headers)
  await storeMail(
    {
      store,
      clock,
      threadKey: threadKeys({ store, clock }),
      putObject: async () => {},
      fetchObject: async () => Buffer.alloc(0),
      trustedServer: async () => 'mx.acme.test',
    },
    tenant,
    { raw, sizeBytes: raw.length, internalDate: new Date() },
    [],
  )
  await cloud.idle()
  const [message] = (await api('GET', '/api/sys/incoming_messages?per_page=1')).body.data
  return { message, record: await world.recordOf(message) }
}
const emailRule = (more: object = {}) => world.rule({ channel: 'email', field_mapping: { title: 'subject' }, ...more })

it('the record of a mail belongs to the user whose address the mail server has proved', async () => {
  const { id, email } = await user()
  await emailRule()
  const domain = email.split('@')[1]
  const { record, message } = await recordOfMail({
    From: email,
    'Message-ID': '<proved@example.com>',
    'Authentication-Results': `mx.acme.test; dmarc=pass header.from=${domain}`,
  })
  expect(record).toMatchObject({ created_by: id, data: { title: 'Lamp' } })
  expect(message.payload).toMatchObject({ sender_user_id: id })
})

it('a mail that only claims to be of a user makes a record of whoever saved the rule, and keeps its sender', async () => {
  const { email } = await user()
  await emailRule()
  const { record, message } = await recordOfMail({ From: email, 'Message-ID': '<claimed@example.com>' })
  expect(record.created_by).toBe(world.service.admin.userId)
  expect(message).toMatchObject({ from_email: email })
  expect(message.payload).not.toHaveProperty('sender_user_id')
})

it('the files of a mail go to the only file field, without the pictures that its text shows', async () => {
  const file = await upload(world.service, { name: 'a.pdf', type: 'application/pdf', content: sample.pdf })
  const logo = await upload(world.service, { name: 'b.pdf', type: 'application/pdf', content: sample.pdf })
  const attachments = [
    { name: 'a.pdf', content_type: 'application/pdf', size: 9, path: file },
    { name: 'lost.pdf', content_type: 'application/pdf', size: 9, path: null },
    { name: 'logo.png', content_type: 'image/png', size: 9, path: logo, content_id: 'logo' },
  ]
  await emailRule()
  const message = await world.receive({ attachments, payload: { html: '<img src="cid:logo">' } })
  expect((await world.recordOf(message)).data).toEqual({ title: 'Printer jam', files: [file] })

  await world.clear()
  await emailRule({ field_mapping: { title: 'subject', files: 'payload.missing' } })
  const mapped = await world.receive({ attachments })
  expect((await world.recordOf(mapped)).data).toEqual({ title: 'Printer jam' })
})

it('hooks after the create know the id of a record that a rule makes', async () => {
  await setHooks(world.service, 'requests', [
    [
      'after_create',
      "$api.update('requests', $record.id, { description: `${$context.source} ${$record.id} ${$data.id}` })",
    ],
  ])
  await emailRule()
  const record = await world.recordOf(await world.receive({}))
  expect(record.data.description).toBe(`rule ${record.id} ${record.id}`)
  await setHooks(world.service, 'requests', [])
})
