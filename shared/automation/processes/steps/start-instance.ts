import type { PrincipalRef } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import { startGuardKey } from '../../../platform/store/keys/processes.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import type { Write } from '../../../platform/store/store.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import { mayBeAnything } from '../../bpmn/shapes/reads.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import { commandItem } from '../rows/command-rows.ts'
import { type Caller, type Instance, instanceRow, instanceSequence, noRecord } from '../rows/instance-row.ts'
import { instanceOfRecordItem, readStart, startItem } from '../rows/start-rows.ts'
import type { Template } from '../templates/template.ts'

/** How an instance starts. */
export interface Start {
  readonly model: string
  /** `noRecord`: it is about none. */
  readonly recordId: number
  readonly by: PrincipalRef
  readonly source: 'auto' | 'api' | 'script' | 'message' | 'signal' | 'timer' | 'call'
  readonly hops: number
  /** Only the first start under this name makes an instance, per template and record. */
  readonly startName?: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** Its variables come from a process or a script: fields of records may have gone into them. */
  readonly isInternal?: true
  /** What has called it. */
  readonly caller?: Caller
  /** The start event that has occurred. */
  readonly at?: string
  /** A write in the same transaction. When it is refused, no instance is made. */
  readonly extraWrite?: (id: number) => Write
  /** Has the runner advance the instance through the change feed: for functions that do not run processes. */
  readonly wakesRunner?: boolean
}

/** The name of an auto-start: one per template and record. */
export const autoStart = 'auto'

type StartDependencies = Pick<ProcessDependencies, 'store' | 'clock'>

/** The rows of a new instance with its start command, for one transaction. */
export function startWrites(
  { clock }: { readonly clock: Pick<Clock, 'now' | 'uuid'> },
  tenant: TenantRef,
  template: Pick<Template, 'id' | 'version' | 'code'>,
  id: number,
  start: Start,
): readonly Write[] {
  const { model, recordId, by, hops, startName, extraWrite } = start
  const now = clock.now()
  const instance: Instance = {
    id,
    templateId: template.id,
    templateVersion: template.version,
    code: template.code,
    model,
    recordId,
    status: 'running',
    rev: 1,
    steps: 0,
    state: undefined,
    variables: {},
    waits: [],
    lastTask: null,
    startedBy: by.userId,
    startedAt: isoTime(now),
    endedAt: null,
    source: start.source,
    hops,
    stepIncidents: [],
    ...(start.caller && { caller: start.caller }),
    ...(start.isInternal && start.variables && { reads: mayBeAnything(start.variables) }),
  }
  const command = {
    kind: 'start',
    hops,
    variables: start.variables ?? {},
    ...(start.at !== undefined && { at: start.at }),
  } as const
  return [
    ...(extraWrite ? [extraWrite(id)] : []),
    ...(startName === undefined
      ? []
      : [{ put: startItem(startGuardKey(tenant, model, recordId, template.id, startName), id), if: isNew }]),
    { put: instanceRow(tenant, instance, clock.uuid()).item, if: isNew },
    ...(recordId === noRecord ? [] : [{ put: instanceOfRecordItem(tenant, model, recordId, id) }]),
    { put: commandItem(tenant, id, command, by, { nowMs: now, uuid: clock.uuid(), wakesRunner: start.wakesRunner }) },
  ]
}

/**
 * Stores a new instance with its start command and returns its id; `advanceInstance` runs its first step. A second
 * start under the same `startName` returns the instance of the first.
 */
export async function startInstance(
  services: StartDependencies,
  tenant: TenantRef,
  template: Template,
  start: Start,
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  const { store, clock } = services
  const guard =
    start.startName === undefined
      ? undefined
      : startGuardKey(tenant, start.model, start.recordId, template.id, start.startName)
  const known = guard && (await store.get(tenant, guard))
  if (known) return { id: readStart(known), isNew: false }
  const id = await reserveIds(store, tenant, instanceSequence, 1)
  try {
    await store.transact(tenant, startWrites(services, tenant, template, id, start), clock.uuid())
    return { id, isNew: true }
  } catch (error) {
    const existing = error instanceof TransactionRefused ? error.reasons[0]?.existing : undefined
    if (!guard || existing?.kind !== 'process_start') throw error
    return { id: readStart(existing), isNew: false }
  }
}
