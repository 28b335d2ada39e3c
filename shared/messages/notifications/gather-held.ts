import type { Tenant } from '../../kernel/tenancy.ts'
import { sayTime, type TimeStyle } from '../../kernel/time/say-time.ts'
import { accentColor, readTimeZone } from '../../platform/settings/read-settings.ts'
import type { Notice } from '../bell/bell-row.ts'
import type { Gathered, HeldIntent } from '../deliveries/expand/expand-held.ts'
import type { HeldNotices } from '../deliveries/rows/intent-content.ts'
import { holdRule, leavesAt } from '../preferences/hold-rule.ts'
import { readChoicesOf } from '../preferences/preferences-row.ts'
import { digestMail, type DigestEntry } from './digest-mail.ts'
import { mailOfNotice, type NotifyDependencies, textOf } from './notify-people.ts'

/** So many notices one mail says; how many there were besides it says too. All of them are in the bell. */
const maxEntries = 200

/** When what was held back of a person since some time leaves, by what they choose now. */
export async function heldUntil(
  { store, clock, config }: Pick<NotifyDependencies, 'store' | 'clock' | 'config'>,
  tenant: Tenant,
  { userId, type }: HeldNotices,
  sinceMs: number,
): Promise<number> {
  const choices = (await readChoicesOf(store, tenant, [userId])).get(userId)
  const now = clock.now()
  return choices ? leavesAt(holdRule(choices, type, await readTimeZone(config, tenant)), sinceMs, now) : now
}

/**
 * What notices that were held back say together, in the order in which they were asked for: without those about what their
 * reader may not read any more. Undefined when nothing is left.
 */
export async function gatherHeld(
  services: NotifyDependencies,
  tenant: Tenant,
  { userId, type }: HeldNotices,
  intents: readonly HeldIntent[],
): Promise<Gathered | undefined> {
  const notices = intents
    .map((intent) => noticeOf(userId, intent))
    .toSorted((one, other) => one.createdAtMs - other.createdAtMs)
  const readable = await Promise.all(notices.map((notice) => mayStillRead(services, tenant, notice)))
  const told = notices.filter((_, at) => readable[at])
  const [first] = told
  if (!first) return undefined
  const source = sourceOf(told)
  if (told.length === 1)
    return {
      source,
      content: type === 'email' ? await mailOfNotice(services, tenant, first) : { body: textOf(first) },
    }
  if (type === 'messenger') return { source, content: { body: told.map(textOf).join('\n\n—\n\n') } }
  const choices = (await readChoicesOf(services.store, tenant, [userId])).get(userId)
  const style = {
    locale: await services.localeOf(tenant, userId),
    timeZone: choices?.timeZone ?? (await readTimeZone(services.config, tenant)),
  }
  const shown = told.slice(0, maxEntries)
  const entries = await Promise.all(shown.map((notice) => entryOf(services, tenant, notice, style)))
  const accent = await accentColor(services.config, tenant)
  return { source, content: digestMail(tenant, entries, { accent, further: told.length - shown.length }) }
}

function noticeOf(userId: number, { content, source, answers, createdAtMs }: HeldIntent): Notice {
  const { url = null, category = 'system', task, isOfProcess, askedAtMs = createdAtMs } = content.notice ?? {}
  return {
    key: '',
    userId,
    title: content.subject ?? '',
    text: content.body,
    url,
    category,
    ...(task && { task }),
    ...(isOfProcess && { isOfProcess }),
    createdAtMs: askedAtMs,
    model: source.model ?? '',
    recordId: source.record_id,
    ...(source.is_internal && { isInternal: true }),
    ...(answers !== undefined && { answers }),
  }
}

/** Whether a notice is about a record of a table. */
const isOfRecord = ({ model, recordId }: Notice): boolean =>
  recordId !== null && model !== '' && !model.startsWith('sys_')

/** Whoever is asked to do a task reads of it; everybody else has to be able to read the record still. */
async function mayStillRead(services: NotifyDependencies, tenant: Tenant, notice: Notice): Promise<boolean> {
  if (!isOfRecord(notice) || notice.isOfProcess) return true
  return (await services.mayStillRead(tenant, notice)) || (await services.portalUrl(tenant, notice)) !== undefined
}

/** The record that all notices are about, so that answers lead there; an answer to an internal note is one. */
function sourceOf(notices: readonly Notice[]): Gathered['source'] {
  const [first] = notices
  const isOne = notices.every(({ model, recordId }) => model === first?.model && recordId === first.recordId)
  if (!first || !isOne || !isOfRecord(first)) return { model: null, record_id: null }
  return {
    model: first.model,
    record_id: first.recordId,
    ...(notices.some(({ isInternal }) => isInternal) && { is_internal: true }),
  }
}

async function entryOf(
  services: NotifyDependencies,
  tenant: Tenant,
  notice: Notice,
  style: TimeStyle,
): Promise<DigestEntry> {
  const { userId, model, recordId, title, text, url, category, task, createdAtMs } = notice
  const record =
    isOfRecord(notice) && recordId !== null
      ? await services.describeNoticedRecord(tenant, { userId, model, id: recordId })
      : undefined
  return {
    about: isOfRecord(notice) ? `${model} ${recordId}` : '',
    heading: record ? `${record.label} ${record.id}${record.title === '' ? '' : `: ${record.title}`}` : '',
    url: url ?? record?.url ?? '',
    // The title of a change is the name of its record.
    title: category === 'change' && record ? '' : title,
    text,
    at: sayTime(createdAtMs, style),
    ...(task && { task: { ...task, userId, askedAtMs: createdAtMs } }),
    ...((await services.isWatched(tenant, notice)) && {
      stop: { userId, about: `${model}-${recordId}`, askedAtMs: createdAtMs },
    }),
  }
}
