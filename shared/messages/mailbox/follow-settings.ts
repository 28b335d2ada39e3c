import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Write } from '../../platform/store/store.ts'
import { changeMailbox } from './mailbox-row.ts'
import { type MailboxSettingValues, mailboxSettingsOf } from './mailbox-settings.ts'

/** Time to test the mailbox, and to put right what is wrong. */
const firstPollMs = 60_000

/**
 * The writes that keep a tenant's mailbox in step with its settings, for the transaction that saves any of them: a new
 * password looks like the former one here. A mailbox is due a minute later, with a clean slate of failures; one that the
 * settings do not name any more is never due. How far it was fetched stays known.
 */
export function followSettings(
  { now }: Pick<Clock, 'now'>,
  tenant: TenantRef,
  before: MailboxSettingValues,
  after: MailboxSettingValues,
): Write[] {
  const [was, is] = [mailboxSettingsOf(before), mailboxSettingsOf(after)].map((settings) => !('missing' in settings))
  if (!is) return was ? [changeMailbox(tenant, { set: { failures: 0, told: undefined }, dueMs: null })] : []
  return [changeMailbox(tenant, { set: { failures: 0, tries: 0 }, dueMs: now() + firstPollMs })]
}
