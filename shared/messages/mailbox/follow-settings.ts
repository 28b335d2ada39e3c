import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { mailboxKey, mailboxTokenKey } from '../../platform/store/keys/messages/mailbox.ts'
import type { Write } from '../../platform/store/store.ts'
import { type MailboxSettingValues, mailboxSettingsOf } from '../mailboxes/mailbox-settings.ts'
import { type Mailbox, settingsMailboxId } from '../mailboxes/mailbox.ts'
import { changeMailbox } from './mailbox-row.ts'

/** Time to test the mailbox, and to put right what is wrong. */
const firstPollMs = 60_000
/** Failures that do not count any more. */
const rested = { failures: 0, told: undefined } as const

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
  if (!is) return was ? [changeMailbox(tenant, settingsMailboxId, { set: rested, dueMs: null })] : []
  return [changeMailbox(tenant, settingsMailboxId, { set: { failures: 0, tries: 0 }, dueMs: now() + firstPollMs })]
}

/**
 * The same for a mailbox that is saved (`after`) or deleted. A disabled one is never due; of a deleted one nothing stays but
 * what it had counted.
 */
export function followMailbox(
  { now }: Pick<Clock, 'now'>,
  tenant: TenantRef,
  before: Pick<Mailbox, 'id' | 'isEnabled'> | undefined,
  after: Pick<Mailbox, 'id' | 'isEnabled'> | undefined,
): Write[] {
  if (after?.isEnabled) {
    const set = { failures: 0, tries: 0, told: undefined }
    return [changeMailbox(tenant, after.id, { set, dueMs: now() + firstPollMs })]
  }
  if (after) return before?.isEnabled ? [changeMailbox(tenant, after.id, { set: rested, dueMs: null })] : []
  const { id } = before as Pick<Mailbox, 'id'>
  return [{ remove: mailboxKey(tenant, id) }, { remove: mailboxTokenKey(tenant, id) }]
}
