import { Invalid } from '../../../kernel/failures/faults.ts'
import { permissionMissing } from '../../../kernel/failures/permission-missing.ts'
import { maxVariableBytes } from '../../../kernel/limits/processes.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { advanceInstance, maxRequestMs } from '../runtime/advance-instance.ts'
import type { DeliveredMessage, MessageBody, SignalAnswer, SignalBody } from '../schema.ts'
import { deliverMessage, messageIdOf } from './deliver-message.ts'
import { sendSignal } from './send-signal.ts'

/** How long a message waits for a receiver unless its sender says otherwise. */
const defaultTtlSeconds = 3600

/**
 * Delivers a message and advances the instances that receive it. Throws Forbidden without `processes.message`, Conflict
 * when it is not clear who is meant.
 */
export async function sendMessageByRequest(
  services: AdvanceDependencies,
  caller: Caller,
  { name, correlation_key, variables = {}, message_id, ttl = defaultTtlSeconds }: MessageBody,
): Promise<DeliveredMessage> {
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
  { name, variables = {} }: SignalBody,
): Promise<SignalAnswer> {
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
