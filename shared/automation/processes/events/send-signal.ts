import type { PrincipalRef } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { type Key, keyOfItem } from '../../../platform/store/keys/key.ts'
import { signalWaitKey, signalWaitsPartition, tenantWorkId } from '../../../platform/store/keys/processes.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { packJson, readPackedJson } from '../../../platform/store/values/pack-json.ts'
import { and, exists, lacks } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { commandItem, type ProcessCommand } from '../rows/command-rows.ts'
import { readEventWait } from '../rows/event-rows.ts'
import type { EventDependencies } from './sent-message.ts'

/** An instance, and which of its executions waits. */
type Target = readonly [instanceId: number, executionId: string]
type Broadcast = Extract<ProcessCommand, { kind: 'broadcast' }>
type SignalDependencies = EventDependencies & {
  readonly wakeLater: (tenant: Tenant, instanceId: number, delaySeconds: number) => Promise<void>
}

/** A row of the table holds them, compressed. */
const targetsPerRow = 10_000
const targetsAtOnce = 10
/** How many are reached between two notes of how far a signal is. */
const targetsPerNote = 200

/**
 * Sends a signal to everything that waits for its name now, whether it reaches that at once or after a crash; what begins
 * to wait later is not meant. Answers how many wait. The runner does the work (docs/decisions/0095).
 */
export async function sendSignal(
  services: EventDependencies,
  tenant: Tenant,
  { name, variables }: { readonly name: string; readonly variables: Readonly<Record<string, unknown>> },
  by: PrincipalRef,
): Promise<{ readonly matched: number }> {
  const { store, clock } = services
  const targets = await targetsOf(services, tenant, name)
  for (let start = 0; start < targets.length; start += targetsPerRow) {
    const command: Broadcast = { kind: 'broadcast', signal: { id: clock.uuid(), name, variables }, hops: 0 }
    const item = commandItem(tenant, tenantWorkId, command, by, {
      nowMs: clock.now(),
      uuid: clock.uuid(),
      wakesRunner: true,
    })
    await store.write(tenant, { put: { ...item, targets: packJson(targets.slice(start, start + targetsPerRow)) } })
  }
  return { matched: targets.length }
}

async function targetsOf({ store }: EventDependencies, tenant: Tenant, name: string): Promise<Target[]> {
  const waits = await readAll(store, tenant, { pk: signalWaitsPartition(tenant, name) })
  return waits.map(readEventWait).map(({ instanceId, executionId }): Target => [instanceId, executionId])
}

/**
 * Reaches what a signal is for, until `endsAt`. A wait ends in the transaction that gives its instance the signal, so that
 * a repeat reaches nobody twice. False: some are left.
 */
export async function broadcastSignal(
  services: SignalDependencies,
  tenant: Tenant,
  item: Item,
  endsAt: number,
): Promise<boolean> {
  const { store, clock } = services
  const key = keyOfItem(item)
  const { signal, hops } = readJson<Broadcast>(item, 'command')
  const by = readJson<PrincipalRef>(item, 'by')
  let targets = readPackedJson<Target[]>(item, 'targets') ?? (await noteTargets(services, tenant, key, signal.name))
  const reach = ([instanceId, executionId]: Target) =>
    wasApplied(
      store.transact(
        tenant,
        [
          { remove: signalWaitKey(tenant, signal.name, instanceId, executionId), if: exists },
          {
            put: commandItem(
              tenant,
              instanceId,
              { kind: 'event', executionId, variables: signal.variables, hops },
              by,
              { nowMs: clock.now(), uuid: clock.uuid(), wakesRunner: true },
            ),
          },
        ],
        clock.uuid(),
      ),
    )
  while (targets.length > 0) {
    const part = targets.slice(0, targetsPerNote)
    for (let start = 0; start < part.length; start += targetsAtOnce)
      await Promise.all(part.slice(start, start + targetsAtOnce).map(reach))
    targets = targets.slice(part.length)
    if (targets.length > 0)
      await wasApplied(
        store.write(tenant, {
          update: key,
          change: { expression: 'SET targets = :targets', values: { ':targets': packJson(targets) } },
          if: exists,
        }),
      )
    if (targets.length > 0 && clock.now() > endsAt) return false
  }
  await store.write(tenant, { remove: key })
  return true
}

/** Notes what a signal of a process is for before anything is reached: what waits again after it is not meant. */
async function noteTargets(services: EventDependencies, tenant: Tenant, key: Key, name: string): Promise<Target[]> {
  const { store } = services
  const targets = await targetsOf(services, tenant, name)
  const isFirst = await wasApplied(
    store.write(tenant, {
      update: key,
      change: { expression: 'SET targets = :targets', values: { ':targets': packJson(targets) } },
      if: and(exists, lacks('targets')),
    }),
  )
  if (isFirst) return targets
  const item = await store.get(tenant, key)
  return (item && readPackedJson<Target[]>(item, 'targets')) ?? []
}
