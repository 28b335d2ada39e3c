import { Conflict, Invalid } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import { instanceKey, operationIdOf, operationKey } from '../../../platform/store/keys/processes.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { exists, isNew } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { endedAlready } from '../operations/instance-conflicts.ts'
import { commandItem } from '../rows/command-rows.ts'
import { hasEnded, readInstanceHead } from '../rows/instance-row.ts'
import {
  type OperatedInstance,
  type Operation,
  operationItem,
  type OperationOutcome,
  readOperation,
} from '../rows/operation-row.ts'
import { advanceInstance, maxRequestMs } from '../runtime/advance-instance.ts'

/** Identifies an operation, so that a repeat does nothing twice. */
export interface OperationEntry {
  readonly atMs: number
  readonly name: string
}

/** How long a request waits for a step of another worker. */
const maxWaitMs = 5000
const pauseMs = 100

/**
 * Has an instance carry out an operation after what it was given before, and advances it. Throws what refused it: Invalid,
 * or Conflict. A step of another worker that takes longer refuses it as well, and nothing is done then. Of calls with the same `entry` one is carried out.
 */
export async function operateInstance(
  services: AdvanceDependencies,
  { tenant, ...by }: Pick<Caller, 'tenant' | 'userId' | 'impersonatorId'>,
  instanceId: number,
  operation: Operation,
  entry: OperationEntry = { atMs: services.clock.now(), name: services.clock.uuid() },
): Promise<OperationOutcome> {
  const { store, clock } = services
  const head = readInstanceHead((await store.get(tenant, instanceKey(tenant, instanceId))) as Item)
  if (hasEnded(head)) throw endedAlready(head)
  const nowMs = clock.now()
  const id = operationIdOf(entry.atMs, entry.name)
  const command = commandItem(tenant, instanceId, { kind: 'operate', id, operation }, by, {
    nowMs: entry.atMs,
    uuid: entry.name,
    dueMs: nowMs,
  })
  // Refused when an earlier attempt wrote it: that one is waited for.
  await wasApplied(
    store.transact(
      tenant,
      [
        { put: command, if: isNew },
        { check: operationKey(tenant, instanceId, id), if: isNew },
      ],
      clock.uuid(),
    ),
  )
  for (const endsAt = nowMs + maxWaitMs; ;) {
    await mayFail('advance a process', () => advanceInstance(services, tenant, instanceId, maxRequestMs))
    const item = await store.get(tenant, operationKey(tenant, instanceId, id))
    if (item !== undefined) return requireDone(readOperation(item))
    if (clock.now() < endsAt) await clock.sleep(pauseMs)
    else if (await wasApplied(store.write(tenant, { remove: { pk: command.pk, sk: command.sk }, if: exists })))
      throw new Conflict(
        'instance_busy',
        `Another step of the process instance ${instanceId} is under way, so nothing was done. Try again.`,
      )
  }
}

function requireDone(outcome: OperationOutcome): OperationOutcome {
  const { refusal } = outcome
  if (refusal === undefined) return outcome
  throw 'errors' in refusal ? new Invalid(refusal.errors) : new Conflict(refusal.code, refusal.message)
}

/** Has an instance cancel itself or retry what failed, with the row that says who wanted it. Of calls with the same `entry` one counts. */
export async function giveCommand(
  { store, clock }: Pick<AdvanceDependencies, 'store' | 'clock'>,
  { tenant, ...by }: Pick<Caller, 'tenant' | 'userId' | 'impersonatorId'>,
  instance: OperatedInstance,
  kind: 'cancel' | 'retry',
  entry: OperationEntry = { atMs: clock.now(), name: clock.uuid() },
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const nowMs = clock.now()
  const operation = { id: operationIdOf(entry.atMs, entry.name), action: kind, by, details }
  await store.transact(
    tenant,
    [
      { put: operationItem(tenant, instance, operation, nowMs), if: isNew },
      { put: commandItem(tenant, instance.id, { kind }, by, { nowMs, uuid: clock.uuid() }) },
    ],
    clock.uuid(),
  )
}
