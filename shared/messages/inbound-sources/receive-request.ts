import { createHmac, timingSafeEqual } from 'node:crypto'
import { findTenant } from '../../accounts/tenants/find-tenant.ts'
import { Invalid, NotFound, Unauthenticated } from '../../kernel/failures/faults.ts'
import { maxBodyKeys } from '../../kernel/limits/requests.ts'
import { inspectJson } from '../../platform/http/routing/json/inspect-json.ts'
import { readJsonBody } from '../../platform/http/routing/json/json-body.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { Config } from '../../platform/store/config.ts'
import { idText, keyHash } from '../../platform/store/keys/key.ts'
import { inboundTokenKey } from '../../platform/store/keys/messages/incoming.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'
import { deploymentWide } from '../../platform/store/store.ts'
import { requireReadable, storeMessage, type StoringDependencies } from '../incoming-messages/receive/store-message.ts'
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

type Headers = Readonly<Record<string, string | undefined>>

/** Standard Webhooks: how old or how far ahead a request may be. */
const toleranceMs = 5 * 60_000

/** Whether a request is signed as its source signs. `secret`: opened. Compares in constant time. */
export function isSigned(
  hmac: NonNullable<InboundSource['hmac']>,
  secret: string,
  headers: Headers,
  body: Uint8Array,
  nowMs: number,
): boolean {
  if (hmac.scheme === 'standard-webhooks') return isStandard(secret, headers, body, nowMs)
  const given = headers[hmac.header]
  if (!given?.startsWith(hmac.prefix)) return false
  const expected = createHmac(hmac.algorithm, secret).update(body).digest()
  // Hex is read in either case, and both alphabets of base64.
  return areEqual(Buffer.from(given.slice(hmac.prefix.length).trim(), hmac.encoding), expected)
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
function isStandard(secret: string, headers: Headers, body: Uint8Array, nowMs: number): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (id === undefined || timestamp === undefined || signatures === undefined) return false
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs - Number(timestamp) * 1000) > toleranceMs) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures
    .split(' ', 20)
    .some((one) => one.startsWith('v1,') && areEqual(Buffer.from(one.slice(3), 'base64'), expected))
}

const areEqual = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

/**
 * What a request says, as the payload of a message: the object that it holds, the fields of a form, any other JSON under
 * `value`, any other text under `text`, and bytes that are no text under `base64`. Throws Invalid for JSON that is too
 * deep or holds too much and for a form with too many fields, and Malformed for what says that it is JSON and is not.
 */
export function payloadOf(contentType: string, body: Buffer): Record<string, unknown> {
  if (body.length === 0) return {}
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const text = textOf(body)
  if (text === undefined) return { base64: body.toString('base64') }
  if (type === 'application/x-www-form-urlencoded') return formOf(text)
  const isJson = type === 'application/json' || type.endsWith('+json')
  if (!isJson && !/^\s*[[{]/.test(text)) return { text }
  try {
    const value = readJsonBody(text, false)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { value }
  } catch (error) {
    if (isJson) throw error
    return { text }
  }
}

function textOf(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

/** A field that stands several times becomes a list. */
function formOf(text: string): Record<string, unknown> {
  requireFewFields(text)
  const fields = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  const form = Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
  inspectJson(form)
  return form
}

/** Counts before anything is made of them: 4 MB hold two million fields. */
function requireFewFields(text: string): void {
  let fields = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    fields += 1
    if (fields > maxBodyKeys) throw new Invalid({ body: [`The body holds more than ${maxBodyKeys} fields.`] })
  }
}
