import { permittedFields } from '../../../kernel/permissions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { nameUuid } from '../../../kernel/text/name-uuid.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { resolveChannel } from '../../../messages/channels/resolve-channel.ts'
import { userRecipient } from '../../../messages/deliveries/expand/recipient.ts'
import { prepareIntent, storedIntents, storeIntent } from '../../../messages/deliveries/expand/write-intent.ts'
import { findTemplate } from '../../../messages/notification-templates/template.ts'
import type { Config } from '../../../platform/store/config.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Subscription } from '../subscription.ts'
import { payloadOf } from './payload-of.ts'
import type { SubscribedChange } from './subscribed-change.ts'

export interface MailDependencies {
  readonly store: Pick<Store, 'getMany' | 'write'>
  readonly clock: Pick<Clock, 'now' | 'uuid'>
  readonly config: Pick<Config, 'get' | 'list'>
  readonly putObject: (key: string, body: Uint8Array) => Promise<void>
}

/** Who made a change. */
interface Actor {
  readonly name: string
  readonly email: string | null
}

/** A payload with the shape that every template has: the fields beside the standard ones, and who did it as `user`. */
const paramsOf = (payload: ReturnType<typeof payloadOf>, actor: Actor | undefined) => ({
  ...payload,
  record: { ...payload.record.data, ...payload.record },
  user: { id: payload.actor.id, name: payload.actor.name, email: actor?.email ?? null },
})

/** Mails stored at the same time. */
const atOnce = 25

/**
 * Mails a change to readers by a template, once to each, through the default mail channel. Each mail is an intent of its
 * own, because field rules leave each reader other fields. `again`: an earlier attempt may have stored some, which cost one
 * read then.
 */
export async function mailUsers(
  { store, clock, config, putObject }: MailDependencies,
  tenant: Tenant,
  { id, template: code }: Subscription & { readonly template: string },
  change: SubscribedChange,
  readers: readonly Viewer[],
  actor: Actor | undefined,
  { again = false }: { readonly again?: boolean } = {},
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
  const { channel } = resolved
  const { subject, body, translations } = template
  const model = change.table.name
  const uuidOf = ({ userId }: Viewer): string =>
    nameUuid(`subscription ${tenant.id} ${id} ${model} ${change.id} ${change.version} to ${userId}`)
  const stored = again ? await storedIntents(store, tenant, readers.map(uuidOf)) : new Set<string>()
  const left = readers.filter((reader) => !stored.has(uuidOf(reader)))
  async function mail(reader: Viewer): Promise<void> {
    const intent = prepareIntent(clock, tenant, {
      uuid: uuidOf(reader),
      channel,
      recipients: [userRecipient(reader.userId)],
      content: {
        body: '',
        template: { subject, body, translations },
        params: paramsOf(payloadOf(tenant, change, actor?.name, permittedFields(reader, model, 'read')), actor),
      },
      source: { model, record_id: change.id, subscription_id: id, user_id: change.actorId },
      ...(change.isOfMessage && { answers: 'record' }),
    })
    await storeIntent({ store, putObject }, tenant, intent)
  }
  for (let start = 0; start < left.length; start += atOnce)
    await Promise.all(left.slice(start, start + atOnce).map(mail))
}
