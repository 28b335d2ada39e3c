import type { PrincipalRef } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { StoredState } from '../../bpmn/engine/stored-state.ts'
import { commandItem, type CommandRows, type StepRow } from '../rows/command-rows.ts'
import type { Instance } from '../rows/instance-row.ts'

/** What an operation makes of an instance. */
export interface InstanceChange {
  /** The instance after it, but for its revision. */
  readonly after: Instance
  /** Written with it. */
  readonly rows: readonly StepRow[]
  /** For the list of operations. */
  readonly details: Readonly<Record<string, unknown>>
}

/**
 * The command by which an instance notices what an operation changed: it carries out moves, and conditions that hold now
 * occur. None when nothing waits for it, or when a step that failed is to be retried first.
 */
export function continuation(
  clock: Pick<Clock, 'now' | 'uuid'>,
  tenant: TenantRef,
  { id, state, waits, status }: Instance,
  { commands }: CommandRows,
  by: PrincipalRef,
): StepRow[] {
  const { moves = [] } = (state ?? {}) as Partial<StoredState>
  const hasConditions = waits.some((wait) => wait.kind === 'event' && wait.on === 'conditional')
  if (status === 'suspended' || state === undefined || (moves.length === 0 && !hasConditions)) return []
  if (commands.some(({ command }) => command.kind === 'continue')) return []
  const times = { nowMs: clock.now(), uuid: clock.uuid() }
  return [{ put: commandItem(tenant, id, { kind: 'continue', hops: 0 }, by, times) }]
}
