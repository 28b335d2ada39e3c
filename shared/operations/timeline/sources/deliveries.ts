import { namesOf } from '../../../accounts/people/user.ts'
import { own } from '../../../kernel/collections/own-members.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import { deliveriesOfRecord, withAttempts } from '../../../messages/deliveries/administer/deliveries-of-record.ts'
import type { DeliveryAnswer, DeliveryHead } from '../../../messages/deliveries/schema.ts'
import { publicUrl } from '../../../platform/http/routing/envelope.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { TimelineSource, TimelineSubject } from '../timeline-source.ts'

/**
 * What was sent about a record. Administrators see all of it. Others do not see what was said, and whoever may not read
 * every field does not see to whom either: both may hold values of fields. Nor does whoever may not read the internal
 * comment that it tells of.
 */
export function deliveriesOf(
  store: Pick<Store, 'query' | 'getMany'>,
  { viewer, model, id, readable }: TimelineSubject,
): TimelineSource<DeliveryHead> {
  const { tenant, isAdministrator } = viewer
  const seesInternal = mayOnTable(viewer, model, 'comment_internal')
  return {
    name: 'delivery',
    kind: 'delivery',
    position: /^\d{12}$/,
    async read(from, limit) {
      const { deliveries, ...rest } = await deliveriesOfRecord(store, tenant, { model, id }, from, limit)
      return {
        heads: deliveries.map(({ sort, delivery }) => ({ at: delivery.created_at, position: sort, row: delivery })),
        ...rest,
      }
    },
    async describe(heads) {
      const [deliveries, names] = await Promise.all([
        withAttempts(store, tenant, heads),
        namesOf(
          store,
          tenant,
          heads.flatMap(({ source }) => source.user_id || []),
        ),
      ])
      return deliveries.map((delivery) => {
        const shown = isAdministrator
          ? delivery
          : withoutContent(delivery, { seesFields: readable === undefined, seesInternal })
        const userId = delivery.source.user_id || undefined
        return {
          at: delivery.created_at,
          id: String(delivery.id),
          ...(userId !== undefined && { user: { id: userId, name: names.get(userId) ?? 'Unknown user' } }),
          summary: summaryOf(shown),
          data: shown,
          ...(isAdministrator && { href: `${publicUrl()}/api/sys/deliveries/${delivery.id}` }),
        }
      })
    },
  }
}

/** A delivery, of whose content and recipient some parts may be missing. */
type ShownDelivery = Omit<DeliveryAnswer, 'recipient' | 'body'> & {
  readonly recipient: string | null
  readonly body: string | null
}

function withoutContent(
  delivery: DeliveryAnswer,
  { seesFields, seesInternal }: { readonly seesFields: boolean; readonly seesInternal: boolean },
): ShownDelivery {
  const { is_internal, ...source } = delivery.source
  const { cc, ...rest } = delivery
  const seesRecipient = seesFields && (seesInternal || is_internal === undefined)
  return {
    ...rest,
    ...(seesRecipient && cc && { cc }),
    ...(!seesInternal && { source }),
    recipient: seesRecipient ? delivery.recipient : null,
    subject: null,
    body: null,
    // Receivers repeat addresses and contents in their answers.
    last_error: seesRecipient ? delivery.last_error : null,
    attempts: delivery.attempts.map((attempt) => ({
      ...attempt,
      error: seesRecipient ? attempt.error : null,
      response_excerpt: null,
    })),
  }
}

const nouns: Readonly<Record<string, string>> = {
  email: 'Mail',
  sms: 'SMS',
  messenger: 'Chat message',
  webhook: 'Webhook',
}

function summaryOf({ channel_type, recipient, status, attempt_count: attempts }: ShownDelivery): string {
  const what = `${own(nouns, channel_type) ?? 'Message'}${recipient === null ? '' : ` to ${recipient}`}`
  const after = ` after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
  switch (status) {
    case 'delivered':
      return `${what} delivered${attempts > 1 ? after : ''}`
    case 'failed':
      return `${what} failed${after}`
    case 'retrying':
      return `${what} waits for another attempt${after}`
    case 'sending':
      return `${what} is being sent`
    case 'cancelled':
      return `${what} cancelled`
    case 'queued':
      return `${what} is queued`
  }
}
