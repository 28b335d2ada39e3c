import type { Caller, Viewer } from '../../kernel/principal.ts'
import type { ScriptChain } from '../../scripts/api/script-chain.ts'

/** Who writes a record, and what led to the write. Every caller is an actor; background work builds its own. */
export interface Actor extends Viewer, Pick<Caller, 'roles'>, Partial<Pick<Caller, 'name' | 'email'>> {
  /** The scripts that led to this write, outermost first. */
  readonly chain?: ScriptChain
  /** An address that scripts of this write send nothing to: the sender of an automatic message. */
  readonly suppressedRecipient?: string
  /** Addresses whose mail led to this write: what scripts of it send to them are automatic answers. */
  readonly answering?: readonly string[]
  /** Nobody is notified of this write, and nothing is sent that scripts of it ask for: an import that was told so. */
  readonly skipsNotifications?: true
  /** No process is started by this write, nor continued: data of another system. */
  readonly skipsProcesses?: true
  /** How many process steps led to this write since a user or a timer acted. */
  readonly hops?: number
  /** Who reads what is said of this write, when the actor acts by other rights than their own: a requester in the portal. */
  readonly reader?: Viewer
  /** The batch of changes that this write belongs to. */
  readonly batchId?: number
  /** The record that comments and messages leave by this write, or for which they leave. */
  readonly split?: { readonly from: number } | { readonly into: number }
}
