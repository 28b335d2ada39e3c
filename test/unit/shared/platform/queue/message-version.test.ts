import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { AccountMail } from '../../../../../shared/accounts/account-mail/account-mail.ts'
import { ProcessWake } from '../../../../../shared/automation/processes/runtime/process-wake.ts'
import { SubscriptionMessage } from '../../../../../shared/automation/subscriptions/evaluate/parts.ts'
import { DeliveryWake, ExpansionRequest } from '../../../../../shared/messages/deliveries/messages.ts'
import { MailboxWake } from '../../../../../shared/messages/mailbox/schema.ts'
import { JobMessage } from '../../../../../shared/platform/jobs/schema.ts'
import { ChangeEvent } from '../../../../../shared/platform/queue/change-feed/change-event.ts'

const v = z.literal([1, 2])
const change = {
  v,
  tenant_id: z.int(),
  model: z.string(),
  id: z.int(),
  version: z.int(),
  action: z.enum(['create', 'update', 'delete']),
  actor: z.int(),
  impersonator: z.int().optional(),
  source: z.string().nullable(),
  hops: z.int().optional(),
  watched: z.literal(true).optional(),
}
const mail = { v, id: z.string(), asked_at_ms: z.number() }

/**
 * The readers as they were deployed first, copied, with messages as they were sent then. When a format gets its next
 * version, its reader is copied here, and those that no deployment can have any more go.
 */
const formats = [
  {
    name: 'a change',
    reader: ChangeEvent,
    deployed: z.object(change),
    sent: { v: 1, tenant_id: 1, model: 'cases', id: 7, version: 2, action: 'update', actor: 3, source: null, hops: 1 },
  },
  {
    name: 'a change for subscriptions',
    reader: SubscriptionMessage,
    deployed: z.object(change),
    sent: { v: 1, tenant_id: 1, model: 'cases', id: 7, version: 1, action: 'create', actor: 3, source: 'import' },
  },
  {
    name: 'a job',
    reader: JobMessage,
    deployed: z.object({ v, tenant_id: z.int(), job_id: z.int(), wake: z.string() }),
    sent: { v: 1, tenant_id: 1, job_id: 12, wake: '5b2c' },
  },
  {
    name: 'a process',
    reader: ProcessWake,
    deployed: z.object({ v, tenant_id: z.int(), instance_id: z.int() }),
    sent: { v: 1, tenant_id: 1, instance_id: 4 },
  },
  {
    name: 'a delivery',
    reader: DeliveryWake,
    deployed: z.object({ v, tenant_id: z.int(), delivery_id: z.int() }),
    sent: { v: 1, tenant_id: 1, delivery_id: 9 },
  },
  {
    name: 'an intent',
    reader: ExpansionRequest,
    deployed: z.object({ v, tenant_id: z.int(), intent: z.string() }),
    sent: { v: 1, tenant_id: 1, intent: '0a1b' },
  },
  {
    name: 'a mailbox',
    reader: MailboxWake,
    deployed: z.object({ v, tenant_id: z.int() }),
    sent: { v: 1, tenant_id: 1 },
  },
  {
    name: 'a mail of an account',
    reader: AccountMail,
    deployed: z.discriminatedUnion('kind', [
      z.object({ ...mail, kind: z.literal('password_reset'), email: z.string() }),
      z.object({ ...mail, kind: z.literal('email_verification'), email: z.string() }),
      z.object({ ...mail, kind: z.literal('invitation'), tenant_id: z.int(), invitation_id: z.int() }),
    ]),
    sent: { v: 1, id: 'm', asked_at_ms: 1, kind: 'invitation', tenant_id: 1, invitation_id: 2 },
  },
]

describe.each(formats)('during a deployment, $name', ({ reader, deployed, sent }) => {
  it('that the version before sent is read, unchanged', () => expect(reader.parse(sent)).toEqual(sent))

  it('that this version reads is read by the version before, which leaves out what it does not know', () => {
    const { success } = deployed.safeParse(reader.parse(sent))
    expect(success).toBe(true)
    expect(deployed.parse({ ...reader.parse(sent), added_later: 1 })).not.toHaveProperty('added_later')
  })

  it('of the next version is read, without the keys it adds', () =>
    expect(reader.parse({ ...sent, v: 2, added: { deep: true } })).toEqual({ ...sent, v: 2 }))

  it('of the version after that is refused, so it waits in the queue for its reader', () =>
    expect(reader.safeParse({ ...sent, v: 3 }).success).toBe(false))
})
