import type { PrincipalRef } from '../../../../kernel/principal.ts'
import type { TenantRef } from '../../../../kernel/tenancy.ts'
import type { Clock } from '../../../../kernel/time/clock.ts'
import type { Write } from '../../../../platform/store/store.ts'
import type { BegunCall } from '../../engine/schema.ts'
import { startWrites } from '../../instances/start-instance.ts'
import { commandItem, type ProcessCommand } from '../../rows/command-rows.ts'
import type { Instance, OpenWait } from '../../rows/instance-row.ts'
import { calledInstanceItem } from '../../rows/start-rows.ts'

/** A call that a step has begun, and the id of the instance that it makes. */
export interface NewCall extends BegunCall {
  readonly id: number
  readonly isPass?: true
}

interface By {
  readonly by: PrincipalRef
  readonly hops: number
}
type Times = Pick<Clock, 'now' | 'uuid'>

/** The rows of the instances that a step calls. All of one kind come first, so that no command is without its instance. */
export function calledRows(
  clock: Times,
  tenant: TenantRef,
  instance: Instance,
  calls: readonly NewCall[],
  { by, hops }: By,
): Write[] {
  const rows = calls.map(({ id, templateId, version, code, variables, elementId, executionId, isPass }) => [
    ...startWrites({ clock }, tenant, { id: templateId, version, code }, id, {
      model: instance.model,
      recordId: instance.recordId,
      by: { ...by, userId: by.userId || instance.startedBy },
      source: 'call',
      hops: hops + 1,
      variables,
      caller: {
        instanceId: instance.id,
        elementId,
        executionId,
        depth: (instance.caller?.depth ?? 0) + 1,
        hops,
        ...(isPass && { isPass }),
      },
      wakesRunner: true,
    }).toReversed(),
    { put: calledInstanceItem(tenant, instance.id, id) },
  ])
  // In each list the command comes first, then the row under the record, the instance, and the row under the caller.
  return [3, 2, 1, 0].flatMap((kind) => rows.flatMap((some) => some[kind] ?? []))
}

/** Cancels the instances of calls that are not waited for any more. */
export const cancelledCalls = (
  clock: Times,
  tenant: TenantRef,
  closed: readonly OpenWait[],
  by: PrincipalRef,
): Write[] =>
  closed.flatMap((wait) =>
    wait.kind === 'call' ? commandTo(clock, tenant, wait.instanceId, { kind: 'cancel' }, by) : [],
  )

const commandTo = (
  clock: Times,
  tenant: TenantRef,
  instanceId: number,
  command: ProcessCommand,
  { userId, impersonatorId }: PrincipalRef,
): Write[] => [
  {
    put: commandItem(
      tenant,
      instanceId,
      command,
      { userId, ...(impersonatorId !== undefined && { impersonatorId }) },
      { nowMs: clock.now(), uuid: clock.uuid(), wakesRunner: true },
    ),
  },
]
