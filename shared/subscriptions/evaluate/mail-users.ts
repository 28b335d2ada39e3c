import { resolveChannel } from '../../channels/service.ts'
import { prepareIntent, storeIntent, userRecipient } from '../../deliveries/service.ts'
import type { Clock } from '../../kernel/clock.ts'
import { log } from '../../kernel/log.ts'
import { permittedFields } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { nameUuid } from '../../kernel/text/name-uuid.ts'
import { findTemplate } from '../../notification-templates/service.ts'
import type { Config } from '../../store/config.ts'
import type { Store } from '../../store/store.ts'
import type { Subscription } from '../subscription.ts'
import { payloadOf } from './payload-of.ts'
import type { SubscribedChange } from './subscribed-change.ts'

export interface MailDependencies {
  readonly store: Pick<Store, 'write'>
  readonly clock: Pick<Clock, 'now' | 'uuid'>
  readonly config: Pick<Config, 'get' | 'list'>
  readonly putObject: (key: string, body: Uint8Array) => Promise<void>
}

/**
 * Mails a change to readers by a template, once to each, through the default mail channel. Each mail is an intent of its
 * own, because field rules leave each reader other fields.
 */
export async function mailUsers(
  { store, clock, config, putObject }: MailDependencies,
  tenant: Tenant,
  { id, template: code }: Subscription & { readonly template: string },
  change: SubscribedChange,
  readers: readonly Viewer[],
  actor: string | undefined,
): Promise<void> {
  const [template, resolved] = await Promise.all([
    findTemplate({ config }, tenant, code),
    resolveChannel({ config }, tenant, ['email'], null),
  ])
  if (!template || 'problem' in resolved) {
    const problem = 'problem' in resolved ? resolved.problem : `there is no notification template ${code}`
    log.warn('a subscription cannot send mails', { tenant_id: tenant.id, subscription_id: id, problem })
    return
  }
  const { subject, body, translations } = template
  const model = change.table.name
  for (const reader of readers) {
    const intent = prepareIntent(clock, tenant, {
      uuid: nameUuid(`subscription ${tenant.id} ${id} ${model} ${change.id} ${change.version} to ${reader.userId}`),
      channel: resolved.channel,
      recipients: [userRecipient(reader.userId)],
      content: {
        body: '',
        template: { subject, body, translations },
        params: payloadOf(change, actor, permittedFields(reader, model, 'read')),
      },
      source: { model, record_id: change.id, subscription_id: id, user_id: change.actorId },
    })
    await storeIntent({ store, putObject }, tenant, intent)
  }
}
