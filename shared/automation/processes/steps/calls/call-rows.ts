import type { PrincipalRef } from '../../../../kernel/principal.ts'
import type { TenantRef } from '../../../../kernel/tenancy.ts'
import type { Clock } from '../../../../kernel/time/clock.ts'
import type { Write } from '../../../../platform/store/store.ts'
import type { BegunCall } from '../../../bpmn/schema.ts'
import { type CalledCommand, commandItem, type ProcessCommand } from '../../rows/command-rows.ts'
import type { Instance, OpenWait } from '../../rows/instance-row.ts'
import { calledInstanceItem } from '../../rows/start-rows.ts'
import { startWrites } from '../start-instance.ts'

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
      isInternal: true,
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

/** The commands by which the caller of an instance learns of a change: its end, escalations, and whether it has an incident. */
export function reportsToCaller(
  clock: Times,
  tenant: TenantRef,
  before: Instance,
  after: Instance,
  { by, error, escalated = [], hasSent }: Report,
): Write[] {
  const { caller, id } = before
  if (caller === undefined || hasEndedAlready(before)) return []
  const { instanceId, executionId } = caller
  // A loop over calls is bounded by itself; other circles are bounded by hops.
  const hops = Math.min(after.hops, caller.isPass ? caller.hops : caller.hops + 1)
  const tell = (command: ProcessCommand): Write[] => commandTo(clock, tenant, instanceId, command, by)
  const tellEnd = (report: CalledCommand): Write[] =>
    hasSent
      ? commandTo(clock, tenant, id, { kind: 'report_end', callerId: instanceId, report }, by, false)
      : tell(report)
  const told = before.escalations ?? 0
  const escalations = told + escalated.length
  return [
    ...escalated.flatMap(({ code }, index) =>
      tell({
        kind: 'called_escalation',
        executionId,
        instanceId: id,
        n: told + index + 1,
        ...(code !== undefined && { code }),
        hops: hops + 1,
      }),
    ),
    ...(after.status === 'completed' || after.status === 'cancelled'
      ? tellEnd({
          kind: 'called',
          executionId,
          instanceId: id,
          end: after.status,
          ...(escalations > 0 && { escalations }),
          ...(error && { error }),
          hops,
        })
      : []),
    ...(before.status !== after.status && (after.status === 'incident' || after.status === 'running')
      ? tell({
          kind: 'called_incident',
          executionId,
          instanceId: id,
          rev: after.rev,
          hasIncident: after.status === 'incident',
        })
      : []),
  ]
}

export interface Report {
  readonly by: PrincipalRef
  /** The error that ended the instance, which its caller catches. */
  readonly error?: { readonly code: string; readonly message: string }
  readonly escalated?: readonly { readonly code?: string }[]
  /** It has sent messages or signals that are not on their way yet. */
  readonly hasSent?: boolean
}

const hasEndedAlready = ({ status }: Instance): boolean => status === 'completed' || status === 'cancelled'

/** Gives a command to an instance. With `wakesRunner` the change feed wakes the runner for it. */
export const commandTo = (
  clock: Times,
  tenant: TenantRef,
  instanceId: number,
  command: ProcessCommand,
  { userId, impersonatorId }: PrincipalRef,
  wakesRunner = true,
): Write[] => [
  {
    put: commandItem(
      tenant,
      instanceId,
      command,
      { userId, ...(impersonatorId !== undefined && { impersonatorId }) },
      { nowMs: clock.now(), uuid: clock.uuid(), wakesRunner },
    ),
  },
]
