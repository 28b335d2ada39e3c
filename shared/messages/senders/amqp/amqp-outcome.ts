import { ForbiddenHost } from '../../../kernel/addresses/public-address.ts'
import type { Outcome } from '../../deliveries/state/outcome.ts'
import type { AmqpAddress } from './amqp-address.ts'
import { BrokerBlocked } from './amqp-connections.ts'
import type { AmqpMessage, Confirmation } from './amqp-publish.ts'

/**
 * The outcome of a message that was published. Without a queue it fails and is tried again, because queues and their
 * bindings are made by others, often after the first message: it is not the message that is wrong.
 */
export function outcomeOf(confirmation: Confirmation, message: AmqpMessage): Outcome {
  const exchange = `the exchange ${JSON.stringify(message.exchange)}`
  switch (confirmation.kind) {
    case 'confirmed':
      return { kind: 'delivered' }
    case 'returned':
      return {
        kind: 'failed',
        code: String(confirmation.code),
        error: `The broker returned the message: no queue is bound to ${exchange} for the routing key ${JSON.stringify(message.routingKey)}. Bind one, or correct config.routing_key.`,
      }
    case 'rejected':
      return {
        kind: 'failed',
        code: 'nack',
        error: `The broker rejected the message: a queue of ${exchange} is full or cannot store it.`,
      }
    case 'closed':
      return closedOutcome(confirmation.code, exchange, message)
  }
}

function closedOutcome(code: number | undefined, exchange: string, { content }: AmqpMessage): Outcome {
  switch (code) {
    case 403:
      return {
        kind: 'failed',
        code: '403',
        error: `The user of config.url may not publish to ${exchange}: permit it on the broker.`,
      }
    case 404:
      return {
        kind: 'failed',
        code: '404',
        error: `The broker has not ${exchange}: create it, or correct config.exchange.`,
      }
    case 406:
      return {
        kind: 'refused',
        by: 'receiver',
        code: '406',
        error: `The broker refused the message of ${content.byteLength} bytes; it may be larger than the broker accepts.`,
      }
    default:
      return {
        kind: 'failed',
        ...(code !== undefined && { code: String(code) }),
        error:
          'The connection ended before the broker confirmed the message, so it may have it or not. The next attempt carries the same message id.',
      }
  }
}

/**
 * The outcome when no message was published, or none was confirmed in time. Texts of the broker are left out: it was
 * told the password.
 */
export function unsentOutcome(cause: unknown, { host, vhost }: AmqpAddress, timeoutMs: number): Outcome {
  const { name, code, message = '' } = cause as { name?: string; code?: unknown; message?: string }
  if (cause instanceof ForbiddenHost)
    return { kind: 'refused', by: 'service', error: `The host ${host} of config.url is not on the public internet.` }
  if (cause instanceof BrokerBlocked)
    return { kind: 'failed', error: 'The broker accepts no messages now, because its memory or its disk is full.' }
  if (name === 'TimeoutError')
    return { kind: 'failed', error: `The broker did not confirm the message within ${timeoutMs / 1000} s.` }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { kind: 'failed', error: `The name ${host} of the broker could not be resolved.` }
  if (message.startsWith('Handshake terminated by server: 403'))
    return {
      kind: 'failed',
      code: '403',
      error: 'The broker refused the login: correct user and password in config.url.',
    }
  if (message.startsWith('Expected ConnectionOpenOk; got <ConnectionClose'))
    return {
      kind: 'failed',
      code: '530',
      error: `The broker refused the virtual host ${JSON.stringify(vhost)}: it does not exist, the user may not use it, or it has too many connections.`,
    }
  if (typeof code === 'string') return { kind: 'failed', code, error: `The broker could not be reached: ${code}.` }
  return {
    kind: 'failed',
    error: `The connection to ${host} failed before a message was sent. Does an AMQP 0-9-1 broker answer there?`,
  }
}
