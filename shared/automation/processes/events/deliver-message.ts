import { Conflict } from '../../../kernel/failures/faults.ts'
import { maxMessageReceivers } from '../../../kernel/limits/processes.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import {
  keptMessageKey,
  messageHeadKey,
  messageIdKey,
  messagesPartition,
  messageWaitPrefix,
} from '../../../platform/store/keys/processes.ts'
import { readAll, readPages } from '../../../platform/store/ranges/read-all.ts'
import type { Write } from '../../../platform/store/store.ts'
import { atRevision, exists, isNew } from '../../../platform/store/writes/conditions.ts'
import { isRefusal } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { commandItem } from '../rows/command-rows.ts'
import {
  keptMessageItem,
  type MessageOutcome,
  readEventWait,
  readMessageOutcome,
  takeMessageId,
  type WaitingExecution,
} from '../rows/event-rows.ts'
import { startsByMessage } from './event-starts.ts'
import type { EventDependencies, SentMessage } from './sent-message.ts'

/** Under which id the API and processes keep the ids of messages apart. */
export type MessageIdSource = 'api' | 'script' | 'process' | 'rule'
export const messageIdOf = (source: MessageIdSource, id: string): string => `${source}:${id}`

/**
 * Delivers a message to every instance that waits for its name and key, or else starts the processes that begin with it,
 * or else keeps it. Without a key one waiting instance is meant. Whoever begins to wait later takes a kept one
 * (docs/decisions/0095). Throws Conflict when several wait and no key is given, or more than a message reaches.
 */
export async function deliverMessage(
  services: EventDependencies,
  tenant: Tenant,
  message: SentMessage,
): Promise<MessageOutcome> {
  const { store, clock } = services
  return retryWithJitter(clock, async (again) => {
    const { messageId, name, key } = message
    const earlier =
      messageId === undefined
        ? undefined
        : readMessageOutcome(await store.get(tenant, messageIdKey(tenant, messageId)), clock.now())
    if (earlier !== undefined) return earlier
    // Read before the waits: one that begins in between changes it.
    const head = key === undefined ? undefined : await store.get(tenant, messageHeadKey(tenant, name, key))
    const receivers = await receiversOf(services, tenant, message)
    const commit = async (outcome: MessageOutcome, writes: readonly Write[]): Promise<MessageOutcome> => {
      const guard = messageId === undefined ? [] : [takeMessageId(tenant, messageId, outcome, clock.now())]
      if (guard.length + writes.length > 0) await store.transact(tenant, [...guard, ...writes], clock.uuid())
      return outcome
    }
    try {
      if (receivers.length > 0)
        return await commit(
          { delivered: receivers.map(({ instanceId }) => instanceId), kept: false },
          receivers.flatMap((receiver) => deliveryWrites(services, tenant, message, receiver)),
        )
      const started = await startsByMessage(services, tenant, message)
      if (started.ids.length > 0) return await commit({ delivered: started.ids, kept: false }, started.writes)
      if (message.ttlSeconds === 0) return await commit({ delivered: [], kept: false }, [])
      const kept = keptMessageItem(keptMessageKey(tenant, name, key, clock.now(), clock.uuid()), {
        variables: message.variables,
        by: message.by,
        hops: message.hops,
        expiresAtMs: clock.now() + message.ttlSeconds * 1000,
      })
      const unchanged: Write[] =
        key === undefined
          ? []
          : [
              {
                check: messageHeadKey(tenant, name, key),
                if: head === undefined ? isNew : atRevision(Number(head.rev)),
              },
            ]
      await commit({ delivered: [], kept: true }, [{ put: kept }, ...unchanged])
      return key === undefined ? await offerKept(services, tenant, message, kept) : { delivered: [], kept: true }
    } catch (error) {
      if (isRefusal(error)) return again(error)
      throw error
    }
  })
}

/** The oldest wait of each instance that the message reaches. */
async function receiversOf(
  { store }: EventDependencies,
  tenant: Tenant,
  { name, key }: Pick<SentMessage, 'name' | 'key'>,
): Promise<readonly WaitingExecution[]> {
  const oldest = new Map<number, WaitingExecution>()
  const range = { pk: messagesPartition(tenant, name), prefix: messageWaitPrefix(key) }
  for await (const { items } of readPages(store, tenant, range)) {
    for (const wait of items.map(readEventWait)) if (!oldest.has(wait.instanceId)) oldest.set(wait.instanceId, wait)
    if (oldest.size > maxMessageReceivers) break
  }
  const receivers = [...oldest.values()]
  if (key === undefined && receivers.length > 1)
    throw new Conflict(
      'several_instances_wait',
      `Several process instances wait for the message ${name}, and it has no correlation_key that says which one is meant.`,
    )
  if (receivers.length > maxMessageReceivers)
    throw new Conflict(
      'several_instances_wait',
      `More than ${maxMessageReceivers} process instances wait for the message ${name} with this correlation_key. A message is for few; send a signal to reach all of them.`,
    )
  return receivers
}

/** The writes that end a wait and give its instance the message; refused when it ended before. */
function deliveryWrites(
  { clock }: Pick<EventDependencies, 'clock'>,
  tenant: Tenant,
  { name, key, variables, ttlSeconds, by, hops, wakesRunner, after }: SentMessage,
  { key: wait, instanceId, executionId }: WaitingExecution,
): Write[] {
  const nowMs = clock.now()
  const expiresAtMs = nowMs + ttlSeconds * 1000
  const command = {
    kind: 'event',
    executionId,
    variables,
    hops,
    message: { name, ...(key !== undefined && { key }), expiresAtMs },
    ...(after && { after }),
  } as const
  return [
    { remove: wait, if: exists },
    { put: commandItem(tenant, instanceId, command, by, { nowMs, uuid: clock.uuid(), wakesRunner }) },
  ]
}

/**
 * Gives a message without a key that was just kept to the one that has begun to wait meanwhile. Both write first and
 * look then, so that at least one of them sees the other.
 */
async function offerKept(
  services: EventDependencies,
  tenant: Tenant,
  message: SentMessage,
  kept: Parameters<typeof keptMessageItem>[0],
): Promise<MessageOutcome> {
  const { store, clock } = services
  const range = { pk: messagesPartition(tenant, message.name), prefix: messageWaitPrefix(undefined) }
  const [wait] = (await readAll(store, tenant, range, 1)).map(readEventWait)
  if (wait === undefined) return { delivered: [], kept: true }
  try {
    const writes = deliveryWrites(services, tenant, message, wait)
    await store.transact(tenant, [{ remove: { pk: kept.pk, sk: kept.sk }, if: exists }, ...writes], clock.uuid())
    return { delivered: [wait.instanceId], kept: false }
  } catch (error) {
    // It was taken, or the wait has ended: whoever waits next finds it.
    if (isRefusal(error)) return { delivered: [], kept: true }
    throw error
  }
}
