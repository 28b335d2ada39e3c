import { Conflict } from '../../../kernel/failures/faults.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import { exists } from '../../../platform/store/writes/conditions.ts'
import type { CommandRow, EventCommand, QueuedMessage } from '../rows/command-rows.ts'
import { incidentItem, incidentSequence } from '../rows/incident-row.ts'
import { hasEnded, type Instance, readInstance } from '../rows/instance-row.ts'
import { type InstanceWork, removeCommandRow } from '../steps/commit-step.ts'
import { StepFailed } from '../steps/step-context.ts'
import { newIncident } from '../steps/step-writes.ts'
import { suspendStep } from '../steps/suspend-step.ts'
import { deliverMessage, messageIdOf } from './deliver-message.ts'

/** How long a message of a process waits for a receiver, as those of the API do unless they say otherwise. */
const defaultTtlSeconds = 3600

/**
 * Delivers a message of a process and removes its command; a repeat after a crash delivers it once. When it is not clear
 * who is meant, or more wait than a message reaches, a repeat would fail as well: that is an incident of its sender.
 */
export async function sendQueued(
  work: InstanceWork,
  row: CommandRow,
  { id, name, key, variables, isInternal, ttlSeconds = defaultTtlSeconds, elementId }: QueuedMessage,
  hops: number,
): Promise<void> {
  const { services, tenant } = work
  try {
    const messageId = messageIdOf('process', id)
    const message = { name, key, variables, messageId, ttlSeconds, by: row.by, hops, wakesRunner: true }
    await deliverMessage(services, tenant, isInternal ? { ...message, isInternal } : message)
  } catch (error) {
    if (!(error instanceof Conflict) || error.code !== 'several_instances_wait') throw error
    return noteUndelivered(work, row, error.message, elementId)
  }
  await removeCommandRow(services.store, tenant, row)
}

/** A message whose receiver ended before it could take it goes to whoever waits now, or later. */
export async function sendAgain(
  work: InstanceWork,
  row: CommandRow,
  { message, variables, isInternal, hops }: EventCommand,
): Promise<void> {
  const { services, tenant } = work
  const ttlSeconds = message && Math.ceil((message.expiresAtMs - services.clock.now()) / 1000)
  if (message === undefined || ttlSeconds === undefined || ttlSeconds <= 0)
    return removeCommandRow(services.store, tenant, row)
  await sendQueued(
    work,
    row,
    { ...message, id: row.key.sk, variables, ...(isInternal && { isInternal }), ttlSeconds },
    hops,
  )
}

/** The command waits for a retry with its incident. A sender that has ended cannot be retried: its incident is closed. */
async function noteUndelivered(
  work: InstanceWork,
  row: CommandRow,
  message: string,
  elementId: string | undefined,
): Promise<void> {
  const { services, tenant, item } = work
  const { store, clock, objects } = services
  const instance: Instance = await readInstance(item, objects.fetchObject)
  if (!hasEnded(instance)) {
    const compiled = await services.openProcess(tenant, instance.templateId, instance.templateVersion)
    const failure = new StepFailed(message, { ...(elementId !== undefined && { elementId }) })
    return suspendStep(work, instance, compiled, row, failure)
  }
  const at = isoTime(clock.now())
  const id = await reserveIds(store, tenant, incidentSequence, 1)
  const text = `${message} The process had ended, so the message is not sent again.`
  const incident = newIncident(instance, { id, elementId: elementId ?? null, message: text }, at)
  await store.transact(
    tenant,
    [
      { remove: row.key, if: exists },
      { put: incidentItem(tenant, { ...incident, status: 'resolved', resolvedAt: at }) },
    ],
    clock.uuid(),
  )
}
