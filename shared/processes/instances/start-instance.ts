import { isoTime } from '../../kernel/clock.ts'
import type { PrincipalRef } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { isNew } from '../../store/conditions.ts'
import { startGuardKey } from '../../store/keys/processes.ts'
import { TransactionRefused } from '../../store/refusals.ts'
import { reserveIds } from '../../store/sequence.ts'
import type { Write } from '../../store/table.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import { commandItem } from '../rows/command-rows.ts'
import { type Instance, instanceRow, instanceSequence } from '../rows/instance-row.ts'
import { instanceOfRecordItem, readStart, startItem } from '../rows/start-rows.ts'
import type { Template } from '../templates/template.ts'

export interface Start {
  readonly model: string
  readonly recordId: number
  readonly by: PrincipalRef
  readonly source: 'auto' | 'api' | 'script'
  readonly hops: number
  /** Of all starts with the same one only the first makes an instance, per template and record. */
  readonly startName?: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** What is written beside the instance, before it: nothing is when that is refused. */
  readonly beside?: (id: number) => Write
  /** Let the change feed bring the instance to the runner: for writers that do not run processes themselves. */
  readonly wakesRunner?: boolean
}

/** How an auto-start names itself: once for each template and record. */
export const autoStart = 'auto'

type StartDependencies = Pick<ProcessDependencies, 'store' | 'clock'>

/** The rows of an instance that is to start: nothing has happened in it yet. They are written together or not at all. */
export function startWrites(
  { clock }: Pick<ProcessDependencies, 'clock'>,
  tenant: TenantRef,
  template: Template,
  id: number,
  start: Start,
): readonly Write[] {
  const { model, recordId, by, hops, startName, beside } = start
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
  }
  const command = { kind: 'start', hops, variables: start.variables ?? {} } as const
  return [
    ...(beside ? [beside(id)] : []),
    ...(startName === undefined
      ? []
      : [{ put: startItem(startGuardKey(tenant, model, recordId, template.id, startName), id), if: isNew }]),
    { put: instanceRow(tenant, instance, clock.uuid()).item, if: isNew },
    { put: instanceOfRecordItem(tenant, model, recordId, id) },
    { put: commandItem(tenant, id, command, by, { nowMs: now, uuid: clock.uuid(), wakesRunner: start.wakesRunner }) },
  ]
}

/**
 * Makes an instance that is to start, and answers its id; its first step is taken by whoever advances it. With `once` the
 * same start again answers the instance that the first one made.
 */
export async function startInstance(
  deps: StartDependencies,
  tenant: TenantRef,
  template: Template,
  start: Start,
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  const { store, clock } = deps
  const guard =
    start.startName === undefined
      ? undefined
      : startGuardKey(tenant, start.model, start.recordId, template.id, start.startName)
  const known = guard && (await store.get(tenant, guard))
  if (known) return { id: readStart(known), isNew: false }
  const id = await reserveIds(store, tenant, instanceSequence, 1)
  try {
    await store.transact(tenant, startWrites(deps, tenant, template, id, start), clock.uuid())
    return { id, isNew: true }
  } catch (error) {
    const existing = error instanceof TransactionRefused ? error.reasons[0]?.existing : undefined
    if (!guard || existing?.kind !== 'process_start') throw error
    return { id: readStart(existing), isNew: false }
  }
}
