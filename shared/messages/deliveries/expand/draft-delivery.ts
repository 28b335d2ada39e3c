import { Invalid } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { AnswerBrake } from '../answers/answer-brake.ts'
import { type RenderDependencies, renderContent } from '../render-content.ts'
import type { IntentContent } from '../rows/intent-content.ts'
import type { ChannelIntent } from '../rows/intent-row.ts'
import { type Delivery, type DeliverySource, messageId } from '../state/delivery.ts'
import { type FindAddress, type FindLocale, resolveRecipient } from './recipient.ts'

export interface DraftDependencies extends RenderDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly findAddress: FindAddress
  readonly findLocale: FindLocale
}

const excerptCharacters = 500
/** So many names show what is wrong. */
const maxMissing = 20

/**
 * The delivery to the nth recipient of an intent, as its expansion writes it: it waits for its first attempt, failed because
 * the recipient cannot be reached or the template cannot be rendered, or was cancelled by the brake on automatic answers.
 */
export async function draftDelivery(
  services: DraftDependencies,
  tenant: TenantRef,
  intent: ChannelIntent,
  content: IntentContent,
  { named, n, firstId }: { readonly named: string; readonly n: number; readonly firstId: number },
  brake?: AnswerBrake,
): Promise<Delivery> {
  const isTranslated = [content.template, content.quotes, content.files, content.forwards].some(
    (one) => one !== undefined,
  )
  const { address, locale, ...found } = await resolveRecipient(
    services,
    tenant,
    intent.channelType,
    named,
    isTranslated,
  )
  const said = await render(services, tenant, intent.source, content, locale)
  const problem = found.problem ?? said.problem
  const held = problem === undefined ? await brake?.(address, messageId({ intent: intent.uuid, n })) : undefined
  const isSent = problem === undefined && held === undefined
  return {
    id: firstId + n,
    intent: intent.uuid,
    n,
    channelId: intent.channelId,
    channelType: intent.channelType,
    recipient: address,
    ...(content.cc && { cc: content.cc }),
    locale,
    subject: said.subject ?? null,
    missing: (said.missing ?? []).slice(0, maxMissing),
    excerpt: said.body.slice(0, excerptCharacters).toWellFormed(),
    status: isSent ? 'queued' : held === undefined ? 'failed' : 'cancelled',
    attemptCount: 0,
    attemptsBefore: 0,
    partsAccepted: 0,
    createdAtMs: intent.createdAtMs,
    nextAttemptAtMs: isSent ? services.clock.now() : null,
    leaseUntilMs: null,
    attemptedAtMs: null,
    deliveredAtMs: null,
    lastError: problem ?? held ?? null,
    source: intent.source,
    ...(intent.requestId !== undefined && { requestId: intent.requestId }),
    rev: 1,
  }
}

interface Said {
  readonly subject?: string
  readonly body: string
  readonly missing?: readonly string[]
  readonly problem?: string
}

/** What a template cannot be rendered with today, it never can: the delivery fails with the reason. */
async function render(
  services: RenderDependencies,
  tenant: TenantRef,
  source: DeliverySource,
  content: IntentContent,
  locale: string | null,
): Promise<Said> {
  try {
    return await renderContent(services, tenant, source, content, locale)
  } catch (cause) {
    if (!(cause instanceof Invalid)) throw cause
    const [reason = cause.message] = Object.values(cause.errors).flat()
    return { body: '', problem: `The template cannot be rendered: ${reason}` }
  }
}
