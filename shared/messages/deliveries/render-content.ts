import type { NamesTables } from '../../kernel/table-names.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { holdsTime } from '../../kernel/time/say-time.ts'
import { type MailedTask, decisionLinkDays, outcomeLabel } from '../../platform/mail/decision-link.ts'
import { type MailRecord, recordToken } from '../../platform/mail/record-thread.ts'
import type { StopLink, StopUrls } from '../../platform/mail/stop-link.ts'
import { mask } from '../../platform/secrets/mask.ts'
import { usesPlaceholder } from '../notification-templates/placeholders.ts'
import type { TemplateContent } from '../notification-templates/translation.ts'
import type { IntentContent } from './rows/intent-content.ts'
import type { DeliverySource } from './state/delivery.ts'
import { recordOfSource } from './threads/find-delivery.ts'
import type { FindThreadKey } from './threads/thread-key.ts'

/** Renders a template with parameters, in the language that fits the locale best. */
export type RenderTemplate = (
  template: TemplateContent,
  params: Readonly<Record<string, unknown>>,
  locale: string | null,
  timeZone: string,
) => Promise<{
  readonly subject: string
  readonly html: string
  readonly text: string
  /** The values that the template names and nobody gave. */
  readonly missing?: readonly string[]
}>

export interface RenderDependencies {
  readonly render: RenderTemplate
  readonly threadKey: FindThreadKey
  /** The link by which whoever has it follows a record; undefined where the company allows none. */
  readonly followUrl?: (tenant: TenantRef, record: MailRecord) => Promise<string | undefined>
  /** The link by which a person decides a task. Left out where mails are shown rather than sent: the link is a secret. */
  readonly taskUrl?: (tenant: TenantRef, task: MailedTask) => Promise<string | undefined>
  /** The addresses that end notices: of a page, and for programs. Left out where mails are shown. */
  readonly stopUrls?: (tenant: TenantRef, stop: StopLink) => Promise<StopUrls>
  /** The time zone of a company, in which its people read times. */
  readonly timeZone: (tenant: TenantRef) => Promise<string>
  /** Where a person finds a record. */
  readonly recordUrl: (tenant: NamesTables, record: MailRecord) => string
}

const tokenParam = 'record_token'
const followParam = 'follow_url'

/** What a recipient gets. `missing`: the values that its template names and nobody gave, which are empty in it. */
type Rendered = Omit<IntentContent, 'template' | 'params' | 'tasks' | 'stops' | 'held'> & {
  readonly missing: readonly string[]
  /** Where a mail program ends such mails by one click (RFC 8058), of a mail that is about one thing. */
  readonly unsubscribeUrl?: string
}

/**
 * What a recipient gets: the content itself, or its template in their language. Beside its parameters a template has them
 * all as `params`, the address of the record as `url`, and a token that leads answers there as `record_token`.
 */
export async function renderContent(
  services: RenderDependencies,
  tenant: TenantRef & NamesTables,
  source: DeliverySource,
  { template, params = {}, tasks = [], stops = [], held: _, ...content }: IntentContent,
  locale: string | null,
): Promise<Rendered> {
  if (!template) return { ...content, missing: [] }
  const { render, threadKey } = services
  const record = recordOfSource(source)
  const isAsked = (param: string): boolean => !Object.hasOwn(params, param) && usesPlaceholder(template, param)
  const common = {
    ...(usesPlaceholder(template, 'params') && { params }),
    ...(record && usesPlaceholder(template, 'url') && { url: services.recordUrl(tenant, record) }),
    ...(record && isAsked(tokenParam) && { [tokenParam]: recordToken(await threadKey(tenant), tenant.id, record) }),
    ...(record && isAsked(followParam) && { [followParam]: (await services.followUrl?.(tenant, record)) ?? '' }),
  }
  const shown: StopUrls = { page: mask, post: mask }
  const stop = await Promise.all(stops.map(async (one) => (await services.stopUrls?.(tenant, one)) ?? shown))
  const values = {
    ...common,
    ...(stop.length > 0 && { stop: stop.map(({ page }) => ({ url: page })) }),
    ...params,
    ...(tasks.length > 0 && { decide: await Promise.all(tasks.map((task) => buttonsOf(services, tenant, task))) }),
  }
  const timeZone = holdsTime(JSON.stringify(values)) ? await services.timeZone(tenant) : 'UTC'
  const { subject, html, text, missing = [] } = await render(template, values, locale, timeZone)
  const [only, ...others] = services.stopUrls ? stop : []
  return {
    ...content,
    subject,
    body: html,
    text,
    missing,
    ...(only && others.length === 0 && { unsubscribeUrl: only.post }),
  }
}

/** The buttons of a mail about a task: each leads to the same page, which proposes its outcome. */
async function buttonsOf({ taskUrl }: RenderDependencies, tenant: TenantRef, task: MailedTask): Promise<object> {
  const url = taskUrl ? ((await taskUrl(tenant, task)) ?? '') : mask
  return {
    days: decisionLinkDays,
    outcomes: task.outcomes.map((outcome) => ({
      label: outcomeLabel(outcome),
      url: `${url}?outcome=${encodeURIComponent(outcome)}`,
    })),
  }
}
