import { Fault, Invalid } from '../../../kernel/failures/faults.ts'
import { permissionMissing } from '../../../kernel/failures/permission-missing.ts'
import {
  maxCorrelationKeyCharacters,
  maxEventNameCharacters,
  maxVariableBytes,
} from '../../../kernel/limits/processes.ts'
import type { Caller, PrincipalRef } from '../../../kernel/principal.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { tenantWorkId } from '../../../platform/store/keys/processes.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { SendProcessMessage } from '../../../records/records/dependencies.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { deliverMessage, messageIdOf } from '../events/deliver-message.ts'
import { sendSignal } from '../events/send-signal.ts'
import type { EventDependencies } from '../events/sent-message.ts'
import { commandItem, type QueuedMessage } from '../rows/command-rows.ts'
import { advanceInstance, maxRequestMs } from '../runtime/advance-instance.ts'
import type { ProcessMessageAnswer, ProcessMessageBody, ProcessSignalAnswer, ProcessSignalBody } from '../schema.ts'

/** How long a message waits for a receiver unless its sender says otherwise. */
const defaultTtlSeconds = 3600

/**
 * Delivers a message and advances the instances that receive it. Throws Forbidden without `processes.message`, Conflict
 * when it is not clear who is meant.
 */
export async function sendMessageByRequest(
  services: AdvanceDependencies,
  caller: Caller,
  { name, correlation_key, variables = {}, message_id, ttl = defaultTtlSeconds }: ProcessMessageBody,
): Promise<ProcessMessageAnswer> {
  requireMaySend(caller)
  requireFitting(variables)
  const { tenant } = caller
  const { delivered, kept } = await deliverMessage(services, tenant, {
    name,
    key: correlation_key === undefined ? undefined : String(correlation_key),
    variables,
    messageId: message_id === undefined ? undefined : messageIdOf('api', message_id),
    ttlSeconds: ttl,
    by: caller,
    hops: 0,
    wakesRunner: false,
  })
  // What is not advanced in this time the runner continues.
  const endsAt = services.clock.now() + maxRequestMs
  for (const id of delivered)
    await mayFail('advance a process', () =>
      advanceInstance(services, tenant, id, Math.max(0, endsAt - services.clock.now())),
    )
  return { delivered: [...delivered], kept }
}

/** Sends a signal; the runner reaches its receivers. Throws Forbidden without `processes.message`. */
export async function sendSignalByRequest(
  services: AdvanceDependencies,
  caller: Caller,
  { name, variables = {} }: ProcessSignalBody,
): Promise<ProcessSignalAnswer> {
  requireMaySend(caller)
  requireFitting(variables)
  return sendSignal(services, caller.tenant, { name, variables }, caller)
}

const sending: ReadonlySet<string> = new Set(['processes.message', 'processes.*', '*'])

function requireMaySend({ isAdministrator, permissions }: Caller): void {
  if (!isAdministrator && !permissions.some((permission) => sending.has(permission)))
    throw permissionMissing('processes', 'message')
}

function requireFitting(variables: Readonly<Record<string, unknown>>): void {
  if (Buffer.byteLength(JSON.stringify(variables)) > maxVariableBytes)
    throw new Invalid({ variables: ['The variables may not be larger than 64 KB.'] })
}

/**
 * The write that sends a message of a rule for incoming messages, which goes into the transaction of what the rule does:
 * the runner delivers it, once for each `id`.
 */
export const tellProcessByRule =
  (clock: Pick<Clock, 'now' | 'uuid'>) =>
  (tenant: TenantRef, { id, name, key, variables }: QueuedMessage, by: PrincipalRef): Write => ({
    put: commandItem(
      tenant,
      tenantWorkId,
      { kind: 'send', message: { id, name, ...(key !== undefined && { key }), variables }, hops: 0 },
      by,
      { nowMs: clock.now(), uuid: clock.uuid(), wakesRunner: true },
    ),
  })

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
