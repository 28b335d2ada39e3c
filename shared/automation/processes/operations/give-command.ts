import type { Caller } from '../../../kernel/principal.ts'
import { operationIdOf } from '../../../platform/store/keys/processes.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { commandItem } from '../rows/command-rows.ts'
import { type OperatedInstance, operationItem } from '../rows/operation-row.ts'
import type { OperationEntry } from './operate-instance.ts'

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
