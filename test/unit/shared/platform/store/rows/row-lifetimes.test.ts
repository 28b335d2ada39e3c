import { describe, expect, it } from 'vitest'
import { createAccountLink } from '../../../../../../shared/accounts/account-mail/account-link.ts'
import { claimMail } from '../../../../../../shared/accounts/account-mail/mail-account.ts'
import { registrations, spend } from '../../../../../../shared/accounts/attempts/budget.ts'
import { countAttempt, maxPauseMs, windowMs } from '../../../../../../shared/accounts/attempts/login-throttle.ts'
import { invitationItem, invitationSecretItem } from '../../../../../../shared/accounts/invitations/invitation-row.ts'
import type { Person } from '../../../../../../shared/accounts/people/person.ts'
import { issueToken } from '../../../../../../shared/accounts/sessions/issue-token.ts'
import { clockSkewSeconds } from '../../../../../../shared/accounts/sign-in/providers/identity-claims.ts'
import { keepCode, keepState } from '../../../../../../shared/accounts/sign-in/providers/oauth/sign-in-rows.ts'
import { useTokenOnce } from '../../../../../../shared/accounts/sign-in/providers/sso/use-token-once.ts'
import { challengeUser } from '../../../../../../shared/accounts/sign-in/second-factor/challenge.ts'
import { notificationItem } from '../../../../../../shared/messages/bell/bell-row.ts'
import { attemptItem } from '../../../../../../shared/messages/deliveries/rows/attempt-row.ts'
import { deliveryItem } from '../../../../../../shared/messages/deliveries/rows/delivery-row.ts'
import { paceItem } from '../../../../../../shared/messages/deliveries/rows/gate-row.ts'
import { intentItem } from '../../../../../../shared/messages/deliveries/rows/intent-row.ts'
import type { Delivery } from '../../../../../../shared/messages/deliveries/state/delivery.ts'
import { openAttempt } from '../../../../../../shared/messages/deliveries/state/outcome.ts'
import { nothingSent } from '../../../../../../shared/messages/deliveries/state/pace.ts'
import { onceItem } from '../../../../../../shared/messages/incoming-messages/rows/message-rows.ts'
import { makeCode } from '../../../../../../shared/messages/messenger/link-chat.ts'
import { jobItem, type StoredJob } from '../../../../../../shared/platform/jobs/job-row.ts'
import type { Write } from '../../../../../../shared/platform/store/store.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import { ConditionFailed } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { keyedRequest } from '../../../../../../shared/records/records/write/keyed-request.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'

/** When the time of a row to live ends, counted from its write: a row that went earlier would let something happen again. */
const clock = frozenClock('2026-11-20T08:00:00.000Z')
const now = clock.now()
const [minutes, hours, days] = [60, 3600, 86_400]
const tenant = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }
const user = { id: 7, credentialVersion: 1, roles: ['user'] }

/** The row that something writes. */
async function rowOf(
  write: (services: { store: any; clock: typeof clock }) => Promise<unknown>,
  kind: string,
): Promise<Item> {
  const rows: Item[] = []
  const note = (one: Write) => {
    if ('put' in one) rows.push(one.put)
    if ('update' in one)
      rows.push({ kind: String(one.change.values?.[':kind']), expires_at: Number(one.change.values?.[':expires']) })
  }
  const store = {
    get: async () => undefined,
    write: async (_: object, one: Write) => note(one),
    update: async (_: object, one: Write) => {
      note(one)
      return {}
    },
    transact: async (_: object, writes: readonly Write[]) => writes.forEach(note),
  }
  await write({ store, clock })
  const row = rows.find((one) => one.kind === kind)
  if (!row) throw new Error(`no row ${kind} was written`)
  return row
}

const delivery = {
  id: 1,
  channelId: 1,
  channelType: 'webhook',
  status: 'queued',
  source: { model: null, record_id: null },
  createdAtMs: now,
  nextAttemptAtMs: now,
  leaseUntilMs: null,
  partsAccepted: 0,
} as unknown as Delivery
const job = {
  id: 1,
  kind: 'export',
  status: 'done',
  errors: [],
  unlistedErrors: 0,
  actor: { userId: 1 },
} as unknown as StoredJob
const person = { email: 'ada@acme.test', passwordHash: 'hash' } as Person
const state = { provider: 'p', tenantId: 1, browserHash: 'b', nonce: 'n', verifier: 'v', redirect: null }
const later = now + 3 * hours * 1000

const ofDeliveries: [string, number, () => Item][] = [
  ['a delivery', 90 * days, () => deliveryItem(tenant, delivery, later)],
  ['an attempt, however late', 90 * days, () => attemptItem(tenant, delivery, openAttempt(1, later))],
  [
    'an intent, which the deliveries read',
    92 * days,
    () =>
      intentItem(
        tenant,
        { uuid: 'u', channelId: 1, channelType: 'webhook', recipients: [], source: delivery.source, createdAtMs: now },
        {},
        later,
      ),
  ],
  ['what was sent lately', hours, () => paceItem({ pk: 'p', sk: 's' }, { sent: nothingSent, rev: 1 }, now)],
  [
    'a notification, to the end of its ninetieth day',
    90 * days + 16 * hours,
    () =>
      notificationItem(tenant, 1, 0, {
        key: 'k',
        userId: 1,
        title: 't',
        text: 't',
        url: null,
        category: 'system',
        createdAtMs: now,
        model: '',
        recordId: null,
      }),
  ],
]

const ofAccounts: [string, number, () => Promise<Item> | Item][] = [
  [
    'a link for a new password',
    hours,
    () => rowOf((services) => createAccountLink(services, 'password_reset', person), 'account_link'),
  ],
  [
    'a link that verifies an address',
    7 * days,
    () => rowOf((services) => createAccountLink(services, 'email_verification', person), 'account_link'),
  ],
  ['the attempts to send a mail', 5 * days, () => rowOf((services) => claimMail(services, 'a'), 'account_mail')],
  [
    'the second step of a sign-in',
    5 * minutes,
    () => rowOf((services) => challengeUser(services, { tenant, user } as never), 'mfa_challenge'),
  ],
  [
    'a sign-in at a provider',
    10 * minutes,
    () => rowOf((services) => keepState(services, 's', state), 'sign_in_state'),
  ],
  [
    'the code of a sign-in',
    minutes,
    () =>
      rowOf(
        (services) =>
          keepCode(services, 'c', { tenantId: 1, userId: 7, kind: 'provider_session', credentialVersion: 1 }),
        'sign_in_code',
      ),
  ],
  [
    'the first failure of a login',
    windowMs / 1000,
    () => rowOf((services) => countAttempt(services, 'a', '192.0.2.1'), 'login_attempts'),
  ],
  [
    'what a network used of its budget',
    25 * hours,
    () => rowOf((services) => spend(services, registrations, '192.0.2.1', now), 'network_budget'),
  ],
  [
    'a session in the list of its user',
    30 * days,
    () => rowOf((services) => issueToken(services, { tenant, user }), 'session'),
  ],
  [
    'a code that links a chat',
    15 * minutes,
    () => rowOf((services) => makeCode(services, tenant, 7), 'messenger_code'),
  ],
  [
    'an invitation',
    7 * days,
    () =>
      invitationItem(tenant, {
        id: 1,
        email: 'a',
        roles: [],
        invitedBy: 1,
        forCredentialVersion: 0,
        createdAt: '',
        expiresAtMs: now + 7 * days * 1000,
      }),
  ],
  [
    'its secret',
    7 * days,
    () => invitationSecretItem('s', { tenantId: 1, invitationId: 1, expiresAtMs: now + 7 * days * 1000 }),
  ],
]

const ofWork: [string, number, () => Item][] = [
  ['a job that has ended', 30 * days, () => jobItem(tenant, job, now, later)],
  [
    'the answer under an Idempotency-Key',
    24 * hours,
    () =>
      keyedRequest(
        { store: { get: async () => undefined }, clock },
        { tenant, userId: 1 } as never,
        'POST /',
        'k',
        {},
        { write: () => ({}), read: () => 1 },
      ).row(1),
  ],
  ['that a message came in', 30 * days, () => onceItem(tenant, 'once', 1, now)],
]

describe('a row is kept for its time', () => {
  it.each([...ofDeliveries, ...ofAccounts, ...ofWork])('%s', async (_what, seconds, row) => {
    expect(Number((await row()).expires_at) - now / 1000).toBe(seconds)
  })

  it('a job that has not ended stays', () => {
    for (const status of ['queued', 'running'] as const)
      expect(jobItem(tenant, { ...job, status }, now, later)).not.toHaveProperty('expires_at')
  })

  it('content outlives the deliveries that read it', () => {
    const [delivered, , intent] = ofDeliveries.map(([, , row]) => Number(row().expires_at))
    expect(intent).toBeGreaterThan(delivered as number)
  })

  it('a used token of a provider outlives its acceptance, by clocks that differ', async () => {
    const exp = now / 1000 + hours
    const row = await rowOf(
      (services) => useTokenOnce(services, 'https://one.test', { jti: 'a', exp } as never),
      'used_token',
    )
    // It is accepted until `exp` and the skew by an instance, whose clock may be late by as much.
    expect(row.expires_at).toBe(exp + 2 * clockSkewSeconds)
  })

  it('failures of a login outlive the pause that they caused', async () => {
    const pausedUntilMs = now + maxPauseMs
    const known = {
      made_at_ms: [String(now)],
      pauses: 9,
      paused_until_ms: pausedUntilMs,
      first_at_ms: now,
      write_id: 'w',
    }
    clock.advance(maxPauseMs)
    const row = await rowOf(({ store }) => {
      let tries = 0
      const write = async (tenantOf: object, one: Write) => {
        if (++tries === 1) throw new ConditionFailed(known as never)
        return store.write(tenantOf, one)
      }
      return countAttempt({ store: { ...store, write }, clock }, 'a', '192.0.2.1')
    }, 'login_attempts')
    // The next pause ends after 15 minutes, and the window of its failures 15 minutes later.
    expect(Number(row.expires_at) * 1000 - clock.now()).toBe(maxPauseMs + windowMs)
  })
})
