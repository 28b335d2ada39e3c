import { maxNotificationCharacters } from '../../kernel/limits/messages.ts'
import { log } from '../../kernel/runtime/log.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { nameUuid } from '../../kernel/text/name-uuid.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { holdsTime, sayTimesIn } from '../../kernel/time/say-time.ts'
import { accentColor, readTimeZone, storedSettings } from '../../platform/settings/read-settings.ts'
import type { Config } from '../../platform/store/config.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Notice } from '../bell/bell-row.ts'
import { ringBell } from '../bell/ring-bell.ts'
import { resolveChannel } from '../channels/resolve-channel.ts'
import { userRecipient } from '../deliveries/expand/recipient.ts'
import { prepareIntent, storeIntent } from '../deliveries/expand/write-intent.ts'
import type { IntentContent } from '../deliveries/rows/intent-content.ts'
import { findTemplate } from '../notification-templates/template.ts'
import { defaultDestinations } from '../preferences/categories.ts'
import { readChoicesOf } from '../preferences/preferences-row.ts'
import { type DescribeNoticedRecord, noticeMail, noticeTemplateCode } from './notice-mail.ts'

/** What notices are made for their reader with. */
export interface NoticeReaders {
  readonly describeNoticedRecord: DescribeNoticedRecord
  /** Where somebody without a right on the table of a notice finds what it is about; undefined for everybody else. */
  readonly portalUrl: (tenant: Tenant, notice: Notice) => Promise<string | undefined>
  /** The language of a user; null when they chose none. */
  readonly localeOf: (tenant: Tenant, userId: number) => Promise<string | null>
}

export interface NotifyDependencies extends NoticeReaders {
  readonly store: Pick<Store, 'get' | 'getMany' | 'transact' | 'write'>
  readonly clock: Pick<Clock, 'now' | 'uuid'>
  readonly config: Pick<Config, 'get' | 'list'>
  readonly putObject: (key: string, body: Uint8Array) => Promise<void>
}

/** Messages stored at the same time. */
const atOnce = 25

/** Where a notice is sent besides the bell. */
const elsewhere = ['email', 'messenger'] as const

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
      ...(await Promise.all(asked.slice(start, start + atOnce).map((one) => forItsReader(services, tenant, one)))),
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
  for (const type of elsewhere) await send(services, tenant, type, wanting(type))
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
): Promise<ReadNotice> {
  const { title, text, userId, category } = notice
  const found = await portalUrl(tenant, notice)
  // What people wrote stays as they wrote it.
  const hasTimes = category === 'system' && (holdsTime(title) || holdsTime(text))
  const style = hasTimes && {
    locale: await localeOf(tenant, userId),
    timeZone: await readTimeZone(config, tenant),
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

/** Sends notices through the default channel of a type. Without one they are in the bell only, if at all. */
async function send(
  { store, clock, config, putObject, describeNoticedRecord }: NotifyDependencies,
  tenant: Tenant,
  type: (typeof elsewhere)[number],
  notices: readonly ReadNotice[],
): Promise<void> {
  if (notices.length === 0) return
  const resolved = await resolveChannel({ config }, tenant, [type], null)
  if ('problem' in resolved) {
    log.warn('notifications cannot be sent', { tenant_id: tenant.id, type, problem: resolved.problem })
    return
  }
  const { channel } = resolved
  const own = type === 'email' ? await findTemplate({ config }, tenant, noticeTemplateCode) : undefined

  async function mailOf({ notice, isOutside }: ReadNotice): Promise<IntentContent> {
    const { userId, model, recordId: id } = notice
    const isOfRecord = id !== null && model !== '' && !model.startsWith('sys_')
    const record = isOfRecord ? await describeNoticedRecord(tenant, { userId, model, id }) : undefined
    const form = record && (await storedSettings(config, tenant)).get('MAIL_SUBJECT_NUMBER')?.value
    return noticeMail(tenant, notice, record, own, {
      isOutside,
      accent: await accentColor(config, tenant),
      ...(notice.task && { task: { ...notice.task, userId, askedAtMs: notice.createdAtMs } }),
      ...(typeof form === 'string' && { numberForm: form }),
    })
  }

  async function ask(read: ReadNotice): Promise<void> {
    const { notice } = read
    const intent = prepareIntent(clock, tenant, {
      uuid: nameUuid(`notice ${tenant.id} ${notice.userId} ${type} ${notice.key}`),
      channel,
      recipients: [userRecipient(notice.userId)],
      content: type === 'email' ? await mailOf(read) : { body: textOf(notice) },
      source: {
        model: notice.model,
        record_id: notice.recordId,
        ...(notice.isInternal && { is_internal: notice.isInternal }),
      },
      ...(notice.answers !== undefined && { answers: notice.answers }),
    })
    await storeIntent({ store, putObject }, tenant, intent)
  }
  for (let start = 0; start < notices.length; start += atOnce)
    await Promise.all(notices.slice(start, start + atOnce).map(ask))
}

const textOf = ({ title, text, url }: Notice): string => lines(title, text, url)
const lines = (...parts: readonly (string | null)[]): string =>
  parts.filter(Boolean).join('\n\n').slice(0, maxNotificationCharacters)
