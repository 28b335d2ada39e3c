import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AccountMail } from '../../../../../shared/accounts/account-mail/account-mail.ts'
import {
  type AccountMailer,
  mailAccount,
  MailDelayed,
} from '../../../../../shared/accounts/account-mail/mail-account.ts'
import { createInvitation } from '../../../../../shared/accounts/invitations/create-invitation.ts'
import { createTenantWithAdministrator } from '../../../../../shared/accounts/people/create-tenant.ts'
import { findPerson } from '../../../../../shared/accounts/people/person.ts'
import { log } from '../../../../../shared/kernel/runtime/log.ts'
import { smtpSettings } from '../../../../../shared/platform/mail/mail-settings.ts'
import { createMailSender } from '../../../../../shared/platform/mail/send-mail.ts'
import { type FrozenClock, frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { type Mailbox, openMailbox } from '../../../../make/services/mailboxes/mailbox.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const email = 'ada@acme.test'
const minutes = 60_000
let table: SingleTable
let mailbox: Mailbox
let clock: FrozenClock
let mailer: AccountMailer
let asked = 0

beforeAll(async () => {
  ;[table, mailbox] = await Promise.all([openSingleTable(), openMailbox()])
  const administrator = { name: 'Ada', email, password: 'brass gears 1843' }
  await createTenantWithAdministrator(
    { store: table.store, clock: frozenClock() },
    { slug: 'acme', name: 'Acme', administrator },
  )
})
afterAll(async () => {
  await table.close()
  await mailbox.close()
})
beforeEach(() => {
  clock = frozenClock()
  // Each test starts in a window of its own, so that none counts for the throttle of another.
  clock.advance((asked += 1) * 60 * minutes)
  mailbox.script = {}
  mailbox.received.length = 0
  mailer = {
    store: table.store,
    clock,
    sendMail: createMailSender({ loopbackAllowed: true }),
    readMailSettings: async () =>
      smtpSettings({ host: '127.0.0.1', port: mailbox.port, fromAddress: 'desk@acme.test' }),
    addresses: { publicUrl: 'https://api.acme.test' },
  }
})
afterEach(() => vi.restoreAllMocks())

const message = (more: Partial<AccountMail> = {}): AccountMail =>
  ({ v: 1, id: clock.uuid(), asked_at_ms: clock.now(), kind: 'password_reset', email, ...more }) as AccountMail
const messageIds = () => mailbox.received.map(({ raw }) => /^Message-ID: (.*)\r$/im.exec(raw)?.[1])

describe('the mail of an account', () => {
  it('is sent once, however often the queue delivers its message', async () => {
    const twice = message()
    await mailAccount(mailer, twice, false)
    await mailAccount(mailer, twice, true)
    clock.advance(30 * minutes)
    await mailAccount(mailer, twice, true)
    expect(messageIds()).toEqual([`<${twice.id}@acme.test>`])
  })

  it('is sent by one of two attempts at once; the other retries and finds it sent', async () => {
    const twice = message()
    const outcomes = await Promise.allSettled([mailAccount(mailer, twice, false), mailAccount(mailer, twice, false)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await mailAccount(mailer, twice, true)
    expect(mailbox.received).toHaveLength(1)
  })

  it('is sent later when the server refuses it for now', async () => {
    const delayed = message()
    mailbox.script = { refuse: { at: 'rcpt', code: 451, text: 'greylisted' } }
    await expect(mailAccount(mailer, delayed, false)).rejects.toThrow(MailDelayed)
    mailbox.script = {}
    clock.advance(6 * minutes)
    await mailAccount(mailer, delayed, true)
    expect(mailbox.received).toHaveLength(1)
  })

  it('has the same Message-ID when the first attempt could not learn whether it arrived', async () => {
    const ambiguous = message()
    mailbox.script = { drop: true }
    await expect(mailAccount(mailer, ambiguous, false)).rejects.toThrow(MailDelayed)
    mailbox.script = {}
    await mailAccount(mailer, ambiguous, true)
    expect(messageIds()).toEqual([`<${ambiguous.id}@acme.test>`])
  })

  it('can be sent by a later attempt when the first one crashed', async () => {
    const crashed = message()
    const dying: AccountMailer = { ...mailer, sendMail: () => new Promise(() => {}) }
    void mailAccount(dying, crashed, false)
    await vi.waitFor(() => expect(mailAccount(mailer, crashed, true)).rejects.toThrow('another attempt'), {
      timeout: 60_000,
    })
    clock.advance(2 * minutes)
    await mailAccount(mailer, crashed, true)
    expect(mailbox.received).toHaveLength(1)
  })

  it('is given up after an hour, and at once when the server refuses it for good', async () => {
    const warned = vi.spyOn(log, 'warn')
    mailbox.script = { refuse: { at: 'rcpt', code: 451, text: 'greylisted' } }
    await mailAccount(mailer, message({ asked_at_ms: clock.now() - 60 * minutes }), true)
    mailbox.script = { refuse: { at: 'rcpt', code: 550, text: 'no such user: ada@acme.test' } }
    await mailAccount(mailer, message(), false)
    expect(warned.mock.calls.map(([text, details]) => [text, details?.reason])).toEqual([
      ['a mail was given up', 'The mail server answered 451 to RCPT.'],
      ['a mail was given up', 'The mail server answered 550 to RCPT.'],
    ])
    expect(mailbox.received).toEqual([])
  })

  it('is one line in the log, and no failure, when no mail server is set', async () => {
    const warned = vi.spyOn(log, 'warn')
    const before = await findPerson(table.store, email)
    await mailAccount({ ...mailer, readMailSettings: async () => undefined }, message(), false)
    expect(warned.mock.calls).toEqual([
      [
        'no mail was sent: there is no mail channel, and MAIL_* is not set',
        { mail: 'password_reset', tenant_id: expect.any(Number) },
      ],
    ])
    expect(await findPerson(table.store, email)).toEqual(before)
  })

  it('leads to a page of the service when there is no web app', async () => {
    await mailAccount(mailer, message(), false)
    expect(mailbox.textFor(email)).toMatch(/https:\/\/api\.acme\.test\/password\/reset\/[A-Za-z0-9_-]{43}\s/)
  })

  it('is for nobody when the address has no account', async () => {
    await mailAccount(mailer, message({ email: 'nobody@acme.test' } as Partial<AccountMail>), false)
    expect(mailbox.received).toEqual([])
  })
})

describe('a mailbox', () => {
  const stranger = 'stranger@elsewhere.test'
  let companies = 0

  /** A company that is new, with an administrator and an invitation of the stranger. */
  async function newCompany(name: string, inviter: string) {
    const administrator = { name: inviter, email: `admin${(companies += 1)}@spam.test`, password: 'brass gears 1843' }
    const accounts = { store: table.store, clock }
    const made = await createTenantWithAdministrator(accounts, { slug: `spam${companies}`, name, administrator })
    const by = { userId: made.administrator.id }
    const { invitation } = await createInvitation(accounts, made.tenant, { email: stranger, roles: ['user'], by })
    return { ...made, administrator, tenant_id: made.tenant.id, invitation_id: invitation.id }
  }
  const invitationOf = ({ tenant_id, invitation_id }: Awaited<ReturnType<typeof newCompany>>) =>
    message({ kind: 'invitation', tenant_id, invitation_id } as Partial<AccountMail>)

  it('gets five invitations in 15 minutes and twenty in a day, whatever companies send them', async () => {
    const some = [await newCompany('A', 'Ada'), await newCompany('B', 'Bob')]
    for (let n = 0; n < 12; n++) await mailAccount(mailer, invitationOf(some[n % 2] as (typeof some)[0]), false)
    expect(mailbox.received).toHaveLength(5)
    for (let round = 0; round < 6; round++) {
      clock.advance(20 * minutes)
      for (let n = 0; n < 6; n++) await mailAccount(mailer, invitationOf(some[0] as (typeof some)[0]), false)
    }
    expect(mailbox.received).toHaveLength(20)
  })

  it('gets a mail that was counted in spite of retries', async () => {
    clock.advance(26 * 60 * minutes)
    const company = await newCompany('A', 'Ada')
    for (let n = 0; n < 4; n++) await mailAccount(mailer, invitationOf(company), false)
    const last = invitationOf(company)
    mailbox.script = { refuse: { at: 'rcpt', code: 451, text: 'greylisted' } }
    await expect(mailAccount(mailer, last, false)).rejects.toThrow(MailDelayed)
    mailbox.script = {}
    await mailAccount(mailer, last, true)
    expect(mailbox.received).toHaveLength(5)
  })

  it('gets few mails to verify it, from however many networks they are asked for', async () => {
    const { administrator } = await newCompany('A', 'Ada')
    const verification = () =>
      message({ kind: 'email_verification', email: administrator.email } as Partial<AccountMail>)
    for (let n = 0; n < 8; n++) await mailAccount(mailer, verification(), false)
    expect(mailbox.received).toHaveLength(6)
  })

  it('reads no address in the names that a new company gives itself', async () => {
    clock.advance(3 * 26 * 60 * minutes)
    const company = await newCompany('You won: https://evil.example/prize\r\nBcc: all', 'Dr. evil.example')
    await mailAccount(mailer, invitationOf(company), false)
    expect(mailbox.textFor(stranger)).toContain('Dr. invites you to work in You won: Bcc: all.')
    await mailAccount(
      mailer,
      message({ kind: 'email_verification', email: company.administrator.email } as never),
      false,
    )
    for (const { raw } of mailbox.received) expect(raw).not.toContain('evil.example')
    expect(mailbox.received.map(({ raw }) => /^Subject: (.*)\r$/im.exec(raw)?.[1])).toEqual([
      'Invitation to You won: Bcc: all',
      'Confirm your e-mail address for You won: Bcc: all',
    ])
  })
})
