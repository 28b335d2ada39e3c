import type { Delivery } from '../../../../shared/messages/deliveries/state/delivery.ts'

const createdAtMs = Date.parse('2026-11-20T08:00:00.000Z')

/** A delivery through a webhook that waits for its first attempt, with some members changed. */
export const aDelivery = (changes: Partial<Delivery> = {}): Delivery => ({
  id: 1,
  intent: '0d3b7a52-6c1e-4f8a-9b1d-2f5e8c7a9d10',
  n: 0,
  channelId: 3,
  channelType: 'webhook',
  recipient: 'https://crm.example.com/hooks',
  locale: null,
  subject: null,
  excerpt: '{"a":1}',
  status: 'queued',
  attemptCount: 0,
  attemptsBefore: 0,
  partsAccepted: 0,
  createdAtMs,
  nextAttemptAtMs: createdAtMs,
  leaseUntilMs: null,
  attemptedAtMs: null,
  deliveredAtMs: null,
  lastError: null,
  source: { model: 'requests', record_id: 42, hook: 'after_create' },
  rev: 1,
  ...changes,
})
