import { Fault } from '../../../kernel/failures/faults.ts'
import {
  maxCorrelationKeyCharacters,
  maxEventNameCharacters,
  maxVariableBytes,
} from '../../../kernel/limits/processes.ts'
import type { SendProcessMessage } from '../../../records/records/dependencies.ts'
import { deliverMessage, messageIdOf } from './deliver-message.ts'
import type { EventDependencies } from './sent-message.ts'

const ttlSeconds = 3600

/**
 * `$api.sendProcessMessage(name, key, variables)`: delivers or keeps the message, and has the runner advance its receivers.
 * Answers how many there are. A repeat of the run delivers nothing twice.
 */
export function sendByScript(services: EventDependencies): SendProcessMessage {
  return async (actor, { name, key, variables }, sendKey) => {
    if (name.length > maxEventNameCharacters || (key?.length ?? 0) > maxCorrelationKeyCharacters)
      throw new Fault(
        'validation_failed',
        `The name and the key of a message have ${maxEventNameCharacters} characters at most.`,
      )
    if (Buffer.byteLength(JSON.stringify(variables)) > maxVariableBytes)
      throw new Fault('validation_failed', 'The variables of a message may not be larger than 64 KB.')
    const { delivered } = await deliverMessage(services, actor.tenant, {
      name,
      key,
      variables,
      isInternal: true,
      messageId: messageIdOf('script', sendKey),
      ttlSeconds,
      by: actor,
      hops: actor.hops === undefined ? 0 : actor.hops + 1,
      wakesRunner: true,
    })
    return delivered.length
  }
}
