import type { PrincipalRef } from '../../../../kernel/principal.ts'
import type { TenantRef } from '../../../../kernel/tenancy.ts'
import type { Clock } from '../../../../kernel/time/clock.ts'
import type { Key } from '../../../../platform/store/keys/key.ts'
import { processReportKey } from '../../../../platform/store/keys/processes.ts'
import type { Write } from '../../../../platform/store/store.ts'
import type { Item } from '../../../../platform/store/values/marshal.ts'
import { exists } from '../../../../platform/store/writes/conditions.ts'
import type { Escalated } from '../../engine/schema.ts'
import {
  commandItem,
  type CommandRow,
  type CommandRows,
  type ProcessCommand,
  timeAfter,
} from '../../rows/command-rows.ts'
import { hasEnded, type Instance, readInstanceHead } from '../../rows/instance-row.ts'
import type { ReportCommand, Said } from '../../rows/report-rows.ts'
import type { InstanceWork } from '../step/commit-step.ts'

type Times = Pick<Clock, 'now' | 'uuid'>

/** What a step says to the caller of its instance. */
export interface Report {
  readonly by: PrincipalRef
  /** The error that ended the instance, which its caller catches. */
  readonly error?: { readonly code: string; readonly message: string }
  readonly escalated?: readonly Escalated[]
  /** Whether the step has sent messages or signals. */
  readonly hasSent?: boolean
}

/** How the caller of an instance learns of its end, of escalations, and whether it has an incident. */
export interface Telling {
  /** How many reports it has given then. */
  readonly told: number
  readonly writes: readonly Write[]
}

/**
 * Reports to the caller, none when there is nothing to say. What the instance has sent before arrives first: then a report
 * is a command of the instance itself, which comes after these.
 */
export function reportToCaller(
  clock: Times,
  tenant: TenantRef,
  [before, after]: readonly [Instance, Instance],
  open: CommandRows,
  done: Key | undefined,
  { by, error, escalated = [], hasSent = false }: Report,
): Telling {
  const { caller, id, told = 0 } = before
  if (caller === undefined || hasEnded(before)) return { told, writes: [] }
  const first = escalated.filter(({ isFirst }) => isFirst === true)
  const isEnd = after.status === 'completed' || after.status === 'cancelled'
  const last: Said[] = [
    ...escalated.filter(({ isFirst }) => isFirst !== true).map(saidOf),
    ...(before.status !== after.status && (after.status === 'incident' || after.status === 'running')
      ? [{ what: 'incident', hasIncident: after.status === 'incident', rev: after.rev } as const]
      : []),
    ...(isEnd ? [{ what: 'ended', end: after.status, ...(error && { error }) } as const] : []),
  ]
  const isHeld = open.commands.some(
    ({ key, command, isSuspended }) => key.sk !== done?.sk && !isSuspended && comesFirst.has(command.kind),
  )
  const parts = [
    { said: first.map(saidOf), waits: isHeld },
    { said: last, waits: isHeld || hasSent },
  ].filter(({ said }) => said.length > 0)
  // A loop over calls is bounded by itself; other circles are bounded by hops.
  const hops = Math.min(after.hops, caller.isPass ? caller.hops : caller.hops + 1)
  const writes = parts.map(({ said, waits }, index): Write => {
    const isEscalation = said.some(({ what }) => what === 'escalated')
    const report = {
      kind: 'report',
      executionId: caller.executionId,
      instanceId: id,
      seq: told + index + 1,
      said,
      hops: isEscalation ? hops + 1 : hops,
    } as const
    if (!waits) return { put: reportItem(tenant, caller.instanceId, report, by, clock) }
    // After what the step has sent, which has the same time at the latest.
    const times = { nowMs: timeAfter(open, clock.now()), uuid: `~${index}.${clock.uuid()}` }
    return { put: commandItem(tenant, id, { kind: 'tell', report }, by, times) }
  })
  return { told: told + parts.length, writes }
}

/** What an instance has said that its caller hears first. */
const comesFirst: ReadonlySet<ProcessCommand['kind']> = new Set(['rows', 'stored_rows', 'send', 'broadcast', 'tell'])

const saidOf = ({ code }: Escalated): Said => ({ what: 'escalated', ...(code !== undefined && { code }) })

/** Gives the caller what was kept back until the messages of before were delivered; a repeat gives it once. */
export async function tellCaller(
  { services, tenant, item, reached }: InstanceWork,
  row: CommandRow,
  report: ReportCommand,
): Promise<void> {
  const { store, clock } = services
  const { caller } = readInstanceHead(item)
  if (caller === undefined || report.seq === undefined) return
  const numbered = { ...report, seq: report.seq }
  await store.transact(
    tenant,
    [{ remove: row.key, if: exists }, { put: reportItem(tenant, caller.instanceId, numbered, row.by, clock) }],
    clock.uuid(),
  )
  reached.add(caller.instanceId)
}

/** The row of a report, under the caller. The change feed wakes the runner for it. */
const reportItem = (
  tenant: TenantRef,
  callerId: number,
  report: ReportCommand & { readonly seq: number },
  { userId, impersonatorId }: PrincipalRef,
  clock: Pick<Clock, 'now' | 'uuid'>,
): Item & Key => ({
  ...commandItem(
    tenant,
    callerId,
    report,
    { userId, ...(impersonatorId !== undefined && { impersonatorId }) },
    { nowMs: clock.now(), uuid: clock.uuid(), wakesRunner: true },
  ),
  ...processReportKey(tenant, callerId, report.instanceId, report.seq),
  // Of its own kind: a version of before that still runs beside this one would take it for done.
  kind: 'process_report',
})
