import type { PrincipalRef } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { type Key, keyOfItem } from '../../../platform/store/keys/key.ts'
import { signalWaitKey, signalWaitsPartition, tenantWorkId } from '../../../platform/store/keys/processes.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import type { Write } from '../../../platform/store/store.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { packJson, readPackedJson } from '../../../platform/store/values/pack-json.ts'
import { and, equals, exists, lacks } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { commandItem, type ProcessCommand } from '../rows/command-rows.ts'
import { readEventWait } from '../rows/event-rows.ts'
import { instanceSequence, noRecord } from '../rows/instance-row.ts'
import { startWrites } from '../steps/start-instance.ts'
import { templatesStartedBy } from './event-starts.ts'
import type { EventDependencies, SentMessage } from './sent-message.ts'

/** An instance, and which of its executions waits. */
type Target = readonly [instanceId: number, executionId: string]
/** A template that begins with the signal, and its start event. */
type Start = readonly [templateId: number, elementId: string]
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
 * to wait later is not meant. Processes that begin with it are started. Answers how many wait and begin. The runner does
 * the work (docs/decisions/0095).
 */
export async function sendSignal(
  services: EventDependencies,
  tenant: Tenant,
  { name, variables }: { readonly name: string; readonly variables: Readonly<Record<string, unknown>> },
  by: PrincipalRef,
): Promise<{ readonly matched: number }> {
  const { store, clock } = services
  const [targets, starts] = await Promise.all([targetsOf(services, tenant, name), startsOf(services, tenant, name)])
  for (
    let start = 0;
    start === 0 ? targets.length + starts.length > 0 : start < targets.length;
    start += targetsPerRow
  ) {
    const command: Broadcast = { kind: 'broadcast', signal: { id: clock.uuid(), name, variables }, hops: 0 }
    const item = commandItem(tenant, tenantWorkId, command, by, {
      nowMs: clock.now(),
      uuid: clock.uuid(),
      wakesRunner: true,
    })
    const noted = { targets: packJson(targets.slice(start, start + targetsPerRow)) }
    await store.write(tenant, { put: { ...item, ...noted, ...(start === 0 && notedStarts(starts)) } })
  }
  return { matched: targets.length + starts.length }
}

const notedStarts = (starts: readonly Start[]) => ({ starts: packJson(starts), starts_left: starts.length })

const startsOf = async (services: EventDependencies, tenant: Tenant, name: string): Promise<readonly Start[]> =>
  (await templatesStartedBy(services, tenant, 'signal', name)).map(({ template: { id }, elementId }) => [id, elementId])

async function targetsOf(
  { store }: EventDependencies,
  tenant: Tenant,
  name: string,
  reached?: Broadcast['signal']['reached'],
): Promise<Target[]> {
  const waits = await readAll(store, tenant, { pk: signalWaitsPartition(tenant, name) })
  return waits
    .map(readEventWait)
    .filter(
      ({ instanceId, elementId }) => instanceId !== reached?.instanceId || !reached.elementIds.includes(elementId),
    )
    .map(({ instanceId, executionId }): Target => [instanceId, executionId])
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
  const noted = item.targets === undefined ? await noteTargets(services, tenant, key, signal) : item
  if (noted === undefined) return true
  const internal = signal.isInternal ? { isInternal: true as const } : {}
  let targets = readPackedJson<Target[]>(noted, 'targets') ?? []
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
              { kind: 'event', executionId, variables: signal.variables, ...internal, hops },
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
  if (!(await startProcesses(services, tenant, noted, { ...signal, by, hops }, endsAt))) return false
  await store.write(tenant, { remove: key })
  return true
}

/**
 * Starts the processes that begin with a signal, until `endsAt`. Its row counts those that are left in the transaction
 * of each, so that a repeat starts none twice. False: some are left.
 */
async function startProcesses(
  services: SignalDependencies,
  tenant: Tenant,
  item: Item,
  { name, variables, isInternal, by, hops }: Pick<SentMessage, 'name' | 'variables' | 'isInternal' | 'by' | 'hops'>,
  endsAt: number,
): Promise<boolean> {
  const { store, clock } = services
  const key = keyOfItem(item)
  const starts = readPackedJson<Start[]>(item, 'starts') ?? []
  let left = Number(item.starts_left ?? 0)
  const found = left === 0 ? [] : await templatesStartedBy(services, tenant, 'signal', name)
  while (left > 0) {
    const [templateId, elementId] = starts[starts.length - left] as Start
    const start = found.find((one) => one.template.id === templateId && one.elementId === elementId)
    const counted: Write = {
      update: key,
      change: { expression: 'SET starts_left = :left', values: { ':left': left - 1 } },
      if: equals('starts_left', left),
    }
    // One that was switched off meanwhile starts nothing.
    const instance = start && {
      id: await reserveIds(store, tenant, instanceSequence, 1),
      begin: {
        model: start.template.table,
        recordId: noRecord,
        by,
        source: 'signal' as const,
        hops,
        variables,
        ...(isInternal && { isInternal }),
        at: elementId,
        wakesRunner: true,
      },
    }
    const begun = instance ? startWrites(services, tenant, start.template, instance.id, instance.begin) : []
    if (!(await wasApplied(store.transact(tenant, [counted, ...begun], clock.uuid())))) {
      // Another worker was faster.
      const now = await store.get(tenant, key)
      if (now === undefined) return true
      left = Number(now.starts_left ?? 0)
    } else left -= 1
    if (left > 0 && clock.now() > endsAt) return false
  }
  return true
}

/** Notes what a signal of a process is for before anything is reached: what waits again after it is not meant. */
async function noteTargets(
  services: EventDependencies,
  tenant: Tenant,
  key: Key,
  { name, reached }: Broadcast['signal'],
): Promise<Item | undefined> {
  const { store } = services
  const [targets, starts] = await Promise.all([
    targetsOf(services, tenant, name, reached),
    startsOf(services, tenant, name),
  ])
  await wasApplied(
    store.write(tenant, {
      update: key,
      change: {
        expression: 'SET targets = :targets, starts = :starts, starts_left = :left',
        values: { ':targets': packJson(targets), ':starts': packJson(starts), ':left': starts.length },
      },
      if: and(exists, lacks('targets')),
    }),
  )
  return store.get(tenant, key)
}
