import { findTenant } from '../../accounts/tenants/find-tenant.ts'
import { NotFound, Unauthenticated } from '../../kernel/failures/faults.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { Config } from '../../platform/store/config.ts'
import { idText, keyHash } from '../../platform/store/keys/key.ts'
import { inboundTokenKey } from '../../platform/store/keys/messages/incoming.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'
import { deploymentWide } from '../../platform/store/store.ts'
import { requireReadable, storeMessage, type StoringDependencies } from '../incoming-messages/receive/store-message.ts'
import { isSigned } from './check-signature.ts'
import { payloadOf } from './payload-of.ts'
import { type InboundSource, readToken, secretName } from './source.ts'

export interface InboundDependencies extends StoringDependencies {
  readonly config: Pick<Config, 'getFresh'>
  readonly secrets: Pick<SecretBox, 'open'>
}

/** A request of another system. */
export interface InboundRequest {
  readonly token: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

const tokenShape = /^[A-Za-z0-9_-]{43}$/

/**
 * Stores a request as a message of its source. Of requests with the same `webhook-id` one is stored. Throws NotFound for
 * a token that is not known or whose source is disabled, Unauthenticated when the request is not signed as it must be,
 * TooLarge and Invalid for what cannot be stored.
 */
export async function receiveRequest(
  services: InboundDependencies,
  { token, headers, body }: InboundRequest,
): Promise<void> {
  const unknown = () => new NotFound('endpoint', {}, 'The address was not found.')
  const row = tokenShape.test(token) && (await services.store.get(deploymentWide, inboundTokenKey(keyHash(token))))
  if (!row) throw unknown()
  const found = readToken(row)
  const [tenant, stored] = await Promise.all([
    findTenant(services.store, found.tenant.id),
    services.config.getFresh(found.tenant, 'INBOUND_SOURCE', idText(found.sourceId)),
  ])
  const source = stored && readObject<InboundSource>(stored)
  if (!tenant || tenant.deleteAt !== undefined || !source?.isEnabled || source.tokenHash !== keyHash(token))
    throw unknown()
  const { hmac, id, name } = source
  if (hmac) {
    const secret = await services.secrets.open(tenant, secretName(id), hmac.sealed)
    if (!isSigned(hmac, secret, headers, body, services.clock.now()))
      throw new Unauthenticated('unauthenticated', 'The signature is missing, wrong or too old.')
  }
  const payload = payloadOf(headers['content-type'] ?? '', body)
  requireReadable({ body: '', payload })
  const webhookId = headers['webhook-id']
  await storeMessage(services, tenant, {
    channel: 'api',
    channelId: id,
    fromName: name,
    fromEmail: null,
    fromId: null,
    subject: null,
    body: '',
    payload,
    attachments: [],
    receivedAtMs: services.clock.now(),
    conversation: `i${id}`,
    ...(webhookId !== undefined && { onceKey: `i${id}#${webhookId.slice(0, 500)}` }),
  })
}
