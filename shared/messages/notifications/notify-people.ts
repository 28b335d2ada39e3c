import { maxNotificationCharacters } from '../../kernel/limits/messages.ts'
import { log } from '../../kernel/runtime/log.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { nameUuid } from '../../kernel/text/name-uuid.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { storedSettings } from '../../platform/settings/read-settings.ts'
import type { Config } from '../../platform/store/config.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Notice } from '../bell/bell-row.ts'
import { ringBell } from '../bell/ring-bell.ts'
import { resolveChannel } from '../channels/resolve-channel.ts'
import { userRecipient } from '../deliveries/expand/recipient.ts'
import { prepareIntent, storeIntent } from '../deliveries/expand/write-intent.ts'
import type { IntentContent } from '../deliveries/rows/intent-content.ts'
import { findTemplate } from '../notification-templates/template.ts'
import { readPreferences } from '../preferences/preferences-row.ts'
import { type DescribeNoticedRecord, noticeMail, noticeTemplateCode } from './notice-mail.ts'

export interface NotifyDependencies {
  readonly store: Pick<Store, 'get' | 'getMany' | 'transact' | 'write'>
  readonly clock: Pick<Clock, 'now' | 'uuid'>
  readonly config: Pick<Config, 'get' | 'list'>
  readonly putObject: (key: string, body: Uint8Array) => Promise<void>
  readonly describeNoticedRecord: DescribeNoticedRecord
}

/** Messages stored at the same time. */
const atOnce = 25

/** Where a notice is sent besides the bell. */
const elsewhere = ['email', 'messenger'] as const

/**
 * Notifies people where each of them wants it for the category: in the bell, by mail, by messenger. Once under each
 * key: a repeat sends nothing again.
 */
export async function notifyPeople(
  services: NotifyDependencies,
  tenant: Tenant,
  notices: readonly Notice[],
): Promise<void> {
  const preferences = await readPreferences(
    services.store,
    tenant,
    notices.map(({ userId }) => userId),
  )
  const wanting = (where: 'bell' | (typeof elsewhere)[number]) =>
    notices.filter(({ userId, category }) => preferences.get(userId)?.[category][where])
  await ringBell(services, tenant, wanting('bell'))
  for (const type of elsewhere) await send(services, tenant, type, wanting(type))
}

/** Sends notices through the default channel of a type. Without one they are in the bell only, if at all. */
async function send(
  { store, clock, config, putObject, describeNoticedRecord }: NotifyDependencies,
  tenant: Tenant,
  type: (typeof elsewhere)[number],
  notices: readonly Notice[],
): Promise<void> {
  if (notices.length === 0) return
  const resolved = await resolveChannel({ config }, tenant, [type], null)
  if ('problem' in resolved) {
    log.warn('notifications cannot be sent', { tenant_id: tenant.id, type, problem: resolved.problem })
    return
  }
  const { channel } = resolved
  const own = type === 'email' ? await findTemplate({ config }, tenant, noticeTemplateCode) : undefined

  async function mailOf(notice: Notice): Promise<IntentContent> {
    const { userId, model, recordId: id } = notice
    const isOfRecord = id !== null && model !== '' && !model.startsWith('sys_')
    const record = isOfRecord ? await describeNoticedRecord(tenant, { userId, model, id }) : undefined
    const form = record && (await storedSettings(config, tenant)).get('MAIL_SUBJECT_NUMBER')?.value
    return noticeMail(tenant, notice, record, own, typeof form === 'string' ? form : undefined)
  }

  async function ask(notice: Notice): Promise<void> {
    const intent = prepareIntent(clock, tenant, {
      uuid: nameUuid(`notice ${tenant.id} ${notice.userId} ${type} ${notice.key}`),
      channel,
      recipients: [userRecipient(notice.userId)],
      content: type === 'email' ? await mailOf(notice) : { body: textOf(notice) },
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
