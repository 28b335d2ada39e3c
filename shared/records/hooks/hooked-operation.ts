import type { Tenant } from '../../kernel/tenancy.ts'
import type { Item } from '../../store/marshal.ts'
import type { Write } from '../../store/table.ts'
import type { Table } from '../../tables/service.ts'
import type { Actor } from '../actor.ts'
import type { RecordData, StoredRecord } from '../record-item.ts'

export type HookAction = 'create' | 'update' | 'delete'

/** What hooks of one write see: the record as it is to be, and as it was. */
export interface HookVariables {
  readonly id?: number
  readonly data?: RecordData
  readonly old?: RecordData
}

/** One write of a record with the hooks around it, in the order of the specification. Nothing is loaded for a table without. */
export interface HookedOperation {
  /** False: `before` changes nothing and need not be called. */
  readonly hasBefore: boolean
  /**
   * Runs the before hooks and answers `$data` as they left it, not validated yet. Throws Invalid with the text of a script
   * that refused or failed. May run again after a write conflict: what the earlier run asked for is forgotten.
   */
  before(variables: HookVariables): Promise<RecordData>
  /** What the before hooks asked to be sent: stored in the transaction of the record. */
  intents(): readonly Write[]
  /**
   * The mark that brings the after hooks back should this process end before they ran, to be put with the record; `carried`
   * is the one that it already bears.
   */
  pendingHooks(record: StoredRecord, old: RecordData | undefined, existing: string | undefined): string | undefined
  /** Waits for the write of the record, with the run log written beside it. */
  withRunLog<T>(write: Promise<T>): Promise<T>
  /**
   * Runs the after hooks of a write that stands, and takes its mark away. Never throws. Answers the item of the record as it
   * stands now when that is known without a call of its own.
   */
  after(record: StoredRecord, old: RecordData | undefined, written: Item): Promise<Item | undefined>
}

export interface Hooks {
  /** Throws Invalid when scripts have started each other too deep; nothing was written then. */
  begin(actor: Actor, table: Table, action: HookAction): Promise<HookedOperation>
  /** Runs after hooks that a crash left undone. Answers whether there were any that were due. */
  runPending(tenant: Tenant, model: string, id: number, when: 'overdue' | 'now'): Promise<boolean>
}

/** A write without hooks: on a table that has none, or one that no hook may refuse. */
export const noHooks: HookedOperation = {
  hasBefore: false,
  before: async ({ data }) => data ?? {},
  intents: () => [],
  pendingHooks: (_record, _old, carried) => carried,
  withRunLog: (write) => write,
  after: async () => undefined,
}
