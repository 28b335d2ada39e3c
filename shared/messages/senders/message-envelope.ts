import type { OutgoingMessage } from '../deliveries/service.ts'

/**
 * What a receiver that is a program gets: the JSON of `{ id, type, timestamp, tenant, data }`, the same bytes in every
 * attempt. `body` of the message is JSON already.
 */
export const messageEnvelope = ({ id, event = 'message', createdAt, tenant, body }: OutgoingMessage): string =>
  `{"id":${JSON.stringify(id)},"type":${JSON.stringify(event)},"timestamp":${JSON.stringify(createdAt)},"tenant":${JSON.stringify(tenant.slug)},"data":${body}}`
