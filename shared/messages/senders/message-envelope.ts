import type { OutgoingMessage } from '../deliveries/sender.ts'

/**
 * What a receiver that is a program gets: the JSON of `{ id, type, timestamp, tenant, data }`, the same bytes in every
 * attempt. `body` of the message is JSON already. `timestamp` is when what it tells happened: the change of a record, else the
 * send.
 */
export const messageEnvelope = ({ id, event = 'message', createdAt, change, tenant, body }: OutgoingMessage): string =>
  `{"id":${JSON.stringify(id)},"type":${JSON.stringify(event)},"timestamp":${JSON.stringify(change?.at ?? createdAt)},"tenant":${JSON.stringify(tenant.slug)},"data":${body}}`

/**
 * By what a receiver tells which of two messages about a record is newer, whichever it receives first; nothing in a message
 * that tells no change. `webhook-superseded-by`: the newer version that was delivered before this one.
 */
export const versionHeaders = ({
  change,
  supersededBy,
}: Pick<OutgoingMessage, 'change' | 'supersededBy'>): Record<string, string> =>
  change
    ? {
        'webhook-record-version': String(change.version),
        'webhook-event-time': change.at,
        ...(supersededBy !== undefined && { 'webhook-superseded-by': String(supersededBy) }),
      }
    : {}
