import { findUser } from '../../../accounts/people/user.ts'
import { callerOfLink } from '../../../accounts/sessions/authentication.ts'
import { findTenant } from '../../../accounts/tenants/find-tenant.ts'
import { NotFound } from '../../../kernel/failures/faults.ts'
import { type Caller, unrestricted } from '../../../kernel/principal.ts'
import type { DescribeNoticedRecord } from '../../../messages/notifications/notice-mail.ts'
import { changePreferences } from '../../../messages/preferences/change-preferences.ts'
import { preferencesOf, readChoices } from '../../../messages/preferences/preferences-row.ts'
import { isPersonToken, parsePersonToken } from '../../../platform/mail/person-token.ts'
import { allSubscriptions, recordOfStop } from '../../../platform/mail/stop-link.ts'
import { accentColor } from '../../../platform/settings/read-settings.ts'
import type { Config } from '../../../platform/store/config.ts'
import { discussionKey } from '../../../platform/store/keys/comments.ts'
import { preferencesKey } from '../../../platform/store/keys/messages/bell.ts'
import { threadKeyKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { RecordRef } from '../commented-record.ts'
import type { CommentDependencies } from '../dependencies.ts'
import { readPeople } from '../rows/discussion-row.ts'
import type { EndedNotices } from '../schema.ts'
import { setMuted } from './change-watchers.ts'

/** What answers the links by which mails are ended. */
export interface EndDependencies {
  readonly comments: CommentDependencies
  readonly config: Pick<Config, 'list'>
  readonly describeNoticedRecord: DescribeNoticedRecord
}

/** What a link ends: the notices of one record, or those of subscriptions by mail. */
interface Opened {
  readonly caller: Caller
  readonly record: RecordRef | undefined
}

/** What the link in a mail ends, and whether it has. Changes nothing. Throws NotFound for a link that is wrong or has expired. */
export async function describeEnding(services: EndDependencies, text: string): Promise<EndedNotices> {
  const { comments, config, describeNoticedRecord } = services
  const { store } = comments
  const { caller, record } = await openLink(services, text)
  const { tenant, userId } = caller
  const known = record && (await describeNoticedRecord(tenant, { userId, ...record }))
  const accent = await accentColor(config, tenant)
  const isEnded = record
    ? readPeople(await store.get(tenant, discussionKey(tenant, record.model, record.id))).muted.includes(userId)
    : !preferencesOf(readChoices(await store.get(tenant, preferencesKey(tenant, userId)))).subscription.email
  return {
    company: tenant.name,
    ...(accent !== undefined && { accent_color: accent }),
    record: known ? { label: known.label, number: known.id, title: known.title === '' ? null : known.title } : null,
    is_of_record: record !== undefined,
    is_ended: isEnded,
  }
}

/**
 * Ends the notices that a mail was one of, or takes that back. A repeat changes nothing; of a record that is gone nobody is
 * notified anyway. Throws NotFound for a link that is wrong or has expired.
 */
export async function endNotices(services: EndDependencies, text: string, isEnded: boolean): Promise<EndedNotices> {
  const { comments } = services
  const { caller, record } = await openLink(services, text)
  if (record)
    try {
      await setMuted(comments, { ...caller, ...unrestricted }, record, isEnded)
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
    }
  else await changePreferences(comments, caller, { notifications: { subscription: { email: !isEnded } } })
  return describeEnding(services, text)
}

async function openLink({ comments, config }: EndDependencies, text: string): Promise<Opened> {
  const { store, clock } = comments
  const token = parsePersonToken(text)
  const record = token && recordOfStop(token.about)
  const tenant =
    token && (record || token.about === allSubscriptions) ? await findTenant(store, token.tenantId) : undefined
  if (!token || !tenant || tenant.deleteAt !== undefined || tenant.awaitsVerification) throw noLink()
  const [key, user] = await Promise.all([
    store.get(tenant, threadKeyKey(tenant)),
    findUser(store, tenant, token.userId),
  ])
  if (!key || !user) throw noLink()
  if (!isPersonToken(Buffer.from(String(key.key), 'base64url'), 'unsubscribe', token, clock.now())) throw noLink()
  const caller = await callerOfLink({ config }, tenant, user)
  if (!caller) throw noLink()
  return { caller, record }
}

const noLink = (): NotFound =>
  new NotFound('record', {}, 'This link is wrong, or has expired. Choose your notifications in your profile.')
