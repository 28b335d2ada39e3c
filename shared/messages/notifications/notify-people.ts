import { maxNotificationCharacters } from '../../kernel/limits/messages.ts'
import { log } from '../../kernel/runtime/log.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { nameUuid } from '../../kernel/text/name-uuid.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { holdsTime, sayTimesIn } from '../../kernel/time/say-time.ts'
import { allSubscriptions } from '../../platform/mail/stop-link.ts'
import { accentColor, readTimeZone, storedSettings } from '../../platform/settings/read-settings.ts'
import type { Config } from '../../platform/store/config.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Notice } from '../bell/bell-row.ts'
import { ringBell } from '../bell/ring-bell.ts'
import { resolveChannel } from '../channels/resolve-channel.ts'
import { prepareIntent, storeIntent } from '../deliveries/expand/write-intent.ts'
import type { IntentContent } from '../deliveries/rows/intent-content.ts'
import { findTemplate } from '../notification-templates/template.ts'
import { defaultDestinations } from '../preferences/categories.ts'
import { type HeldType, heldTypes } from '../preferences/held-notices.ts'
import { holdRule, leavesAt } from '../preferences/hold-rule.ts'
import { type Choices, readChoicesOf } from '../preferences/preferences-row.ts'
import { holdNotice, sendOf } from './hold-notices.ts'
import { type DescribeNoticedRecord, noticeMail, noticeTemplateCode } from './notice-mail.ts'

/** What notices are made for their reader with. */
export interface NoticeReaders {
  readonly describeNoticedRecord: DescribeNoticedRecord
  /** Where somebody without a right on the table of a notice finds what it is about; undefined for everybody else. */
  readonly portalUrl: (tenant: Tenant, notice: Notice) => Promise<string | undefined>
  /** Whether the reader of a notice may read its record now, also a deleted one; of an internal comment, whether they may read that. */
  readonly mayStillRead: (tenant: Tenant, notice: Notice) => Promise<boolean>
  /** Whether a notice is about what its reader watches, rather than about their own request or task. */
  readonly isWatched: (tenant: Tenant, notice: Notice) => Promise<boolean>
  /** The language of a user; null when they chose none. */
  readonly localeOf: (tenant: Tenant, userId: number) => Promise<string | null>
}

export interface NotifyDependencies extends NoticeReaders {
  readonly store: Pick<Store, 'get' | 'getMany' | 'transact' | 'write'>
  readonly clock: Clock
  readonly config: Pick<Config, 'get' | 'list'>
  readonly putObject: (key: string, body: Uint8Array) => Promise<void>
}

/** Messages stored at the same time. */
const atOnce = 25

/** Where a notice is sent besides the bell. */
const elsewhere = heldTypes

/**
 * Notifies people where each of them wants it for the category: in the bell, by mail, by messenger. Who has no right on the
 * table, and so never opens its app, gets mails of it until they choose otherwise. Once under each key: a repeat sends nothing
 * again.
 */
export async function notifyPeople(
  services: NotifyDependencies,
  tenant: Tenant,
  asked: readonly Notice[],
): Promise<void> {
  const choices = await readChoicesOf(
    services.store,
    tenant,
    asked.map(({ userId }) => userId),
  )
  const notices: ReadNotice[] = []
  for (let start = 0; start < asked.length; start += atOnce)
    notices.push(
      ...(await Promise.all(
        asked
          .slice(start, start + atOnce)
          .map((one) => forItsReader(services, tenant, one, choices.get(one.userId)?.timeZone ?? null)),
      )),
    )
  const wanting = (where: 'bell' | (typeof elsewhere)[number]): readonly ReadNotice[] =>
    notices.filter(({ notice: { userId, category }, isOutside }) => {
      const chosen = choices.get(userId)?.notifications[category]?.[where]
      return chosen ?? (defaultDestinations[where] || (where === 'email' && isOutside))
    })
  await ringBell(
    services,
    tenant,
    wanting('bell').map(({ notice }) => notice),
  )
  for (const type of elsewhere) await send(services, tenant, type, wanting(type), choices)
}

/** A notice for its reader. `isOutside`: somebody without a right on its table. */
interface ReadNotice {
  readonly notice: Notice
  readonly isOutside: boolean
}

/** A notice as its reader understands it: with times in their language, and a link to where they find what it is about. */
async function forItsReader(
  { config, portalUrl, localeOf }: NotifyDependencies,
  tenant: Tenant,
  notice: Notice,
  chosenZone: string | null,
): Promise<ReadNotice> {
  const { title, text, userId, category } = notice
  const found = await portalUrl(tenant, notice)
  // What people wrote stays as they wrote it.
  const hasTimes = category === 'system' && (holdsTime(title) || holdsTime(text))
  const style = hasTimes && {
    locale: await localeOf(tenant, userId),
    timeZone: chosenZone ?? (await readTimeZone(config, tenant)),
  }
  return {
    notice: {
      ...notice,
      ...(style && { title: sayTimesIn(title, style), text: sayTimesIn(text, style) }),
      url: notice.url ?? found ?? null,
    },
    isOutside: found !== undefined,
  }
}

/** Sends notices through the default channel of a type, or holds them back. Without one they are in the bell only, if at all. */
async function send(
  services: NotifyDependencies,
  tenant: Tenant,
  type: HeldType,
  notices: readonly ReadNotice[],
  choices: ReadonlyMap<number, Choices>,
): Promise<void> {
  if (notices.length === 0) return
  const { store, clock, config, putObject } = services
  const resolved = await resolveChannel({ config }, tenant, [type], null)
  if ('problem' in resolved) {
    log.warn('notifications cannot be sent', { tenant_id: tenant.id, type, problem: resolved.problem })
    return
  }
  const { channel } = resolved

  async function ask({ notice, isOutside }: ReadNotice): Promise<void> {
    const uuid = nameUuid(`notice ${tenant.id} ${notice.userId} ${type} ${notice.key}`)
    if (await isHeldBack(services, tenant, type, notice, choices.get(notice.userId)))
      return holdNotice(services, tenant, channel, type, notice, uuid)
    const content =
      type === 'email' ? await mailOfNotice(services, tenant, notice, isOutside) : { body: textOf(notice) }
    const intent = prepareIntent(clock, tenant, { ...sendOf(notice, uuid, channel), content })
    await storeIntent({ store, putObject }, tenant, intent)
  }
  for (let start = 0; start < notices.length; start += atOnce)
    await Promise.all(notices.slice(start, start + atOnce).map(ask))
}

/** Whether a notice waits, because its reader wants it later. A task that is due before then does not (docs/decisions/0147). */
async function isHeldBack(
  { clock, config }: Pick<NotifyDependencies, 'clock' | 'config'>,
  tenant: Tenant,
  type: HeldType,
  { task, createdAtMs }: Notice,
  choices: Choices | undefined,
): Promise<boolean> {
  if (!choices || (choices.digest === 'none' && choices.quiet === null)) return false
  const nowMs = clock.now()
  const leavesMs = leavesAt(holdRule(choices, type, await readTimeZone(config, tenant)), createdAtMs, nowMs)
  const isUrgent = task?.dueAt !== undefined && task.dueAt !== null && Date.parse(task.dueAt) <= leavesMs
  return leavesMs > nowMs && !isUrgent
}

/** The mail of one notice. `isOutside`: its reader has no right on the table. */
export async function mailOfNotice(
  { config, describeNoticedRecord, portalUrl, isWatched }: NotifyDependencies,
  tenant: Tenant,
  notice: Notice,
  isOutside?: boolean,
): Promise<IntentContent> {
  const { userId, model, recordId: id, category, task, createdAtMs } = notice
  const isOfRecord = id !== null && model !== '' && !model.startsWith('sys_')
  const record = isOfRecord ? await describeNoticedRecord(tenant, { userId, model, id }) : undefined
  const form = record && (await storedSettings(config, tenant)).get('MAIL_SUBJECT_NUMBER')?.value
  const own = await findTemplate({ config }, tenant, noticeTemplateCode)
  const about = (await isWatched(tenant, notice))
    ? `${model}-${id}`
    : category === 'subscription'
      ? allSubscriptions
      : undefined
  return noticeMail(tenant, notice, record, own, {
    isOutside: isOutside ?? (await portalUrl(tenant, notice)) !== undefined,
    accent: await accentColor(config, tenant),
    ...(typeof form === 'string' && { numberForm: form }),
    ...(task && { task: { ...task, userId, askedAtMs: createdAtMs } }),
    ...(about !== undefined && { stop: { userId, about, askedAtMs: createdAtMs } }),
  })
}

/** What a messenger says of a notice. */
export const textOf = ({ title, text, url }: Notice): string => lines(title, text, url)
const lines = (...parts: readonly (string | null)[]): string =>
  parts.filter(Boolean).join('\n\n').slice(0, maxNotificationCharacters)
