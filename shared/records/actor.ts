import type { Caller, Viewer } from '../kernel/principal.ts'
import type { ScriptChain } from '../scripts/service.ts'

/** Who writes a record, and what led to the write. A caller is one as it is; work in the background makes its own. */
export interface Actor extends Viewer, Pick<Caller, 'roles'>, Partial<Pick<Caller, 'name' | 'email'>> {
  /** The scripts that led to this write. */
  readonly chain?: ScriptChain
  /** How many steps of processes led to it since a user, or a timer, did anything. */
  readonly hops?: number
}
