import type { TenantRef } from '../../kernel/tenancy.ts'
import { type MailRecord, recordToken } from '../../platform/mail/record-thread.ts'
import { type TemplateContent, usesPlaceholder } from '../notification-templates/service.ts'
import type { IntentContent } from './rows/intent-content.ts'
import type { DeliverySource } from './state/delivery.ts'
import { recordOfSource } from './threads/record-of-source.ts'
import type { FindThreadKey } from './threads/thread-key.ts'

/** Renders a template with parameters, in the language that fits the locale best. */
export type RenderTemplate = (
  template: TemplateContent,
  params: Readonly<Record<string, unknown>>,
  locale: string | null,
) => Promise<{ readonly subject: string; readonly html: string; readonly text: string }>

export interface RenderDependencies {
  readonly render: RenderTemplate
  readonly threadKey: FindThreadKey
  /** The link by which whoever has it follows a record; undefined where the company allows none. */
  readonly followUrl?: (tenant: TenantRef, record: MailRecord) => Promise<string | undefined>
}

const tokenParam = 'record_token'
const followParam = 'follow_url'

/** What a recipient gets: the content itself, or its template in their language. */
export async function renderContent(
  { render, threadKey, followUrl }: RenderDependencies,
  tenant: TenantRef,
  source: DeliverySource,
  { template, params = {}, ...content }: IntentContent,
  locale: string | null,
): Promise<Omit<IntentContent, 'template' | 'params'>> {
  if (!template) return content
  const record = recordOfSource(source)
  const isAsked = (param: string): boolean => !Object.hasOwn(params, param) && usesPlaceholder(template, param)
  const ours = {
    ...(record && isAsked(tokenParam) && { [tokenParam]: recordToken(await threadKey(tenant), tenant.id, record) }),
    ...(record && isAsked(followParam) && { [followParam]: (await followUrl?.(tenant, record)) ?? '' }),
  }
  const { subject, html, text } = await render(template, { ...ours, ...params }, locale)
  return { ...content, subject, body: html, text }
}
