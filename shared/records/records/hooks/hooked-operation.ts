import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { ScriptRecord } from '../../../scripts/api/record-access.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordData, StoredRecord } from '../record-item.ts'

export type HookAction = 'create' | 'update' | 'delete'

/** What the hooks of one write see: the record as it will be, and as it was. */
export interface HookVariables {
  readonly id?: number
  readonly data?: RecordData
  readonly old?: RecordData
  /** `$record`. */
  readonly record?: Partial<ScriptRecord>
}

/** One write of a record with its hooks. Tables without hooks load no script runtime. */
export interface HookedOperation {
  /** False when there are no before hooks: `before` need not be called. */
  readonly hasBefore: boolean
  /**
   * Runs the before hooks and answers `$data` as they left it, not yet validated. Throws Invalid with the message of a
   * script that refused or failed. Runs again after a write conflict and then drops the intents of the earlier run.
   */
  before(variables: HookVariables): Promise<RecordData>
  /** The notifications that the before hooks sent, to be stored in the record's transaction. */
  intents(): readonly Write[]
  /**
   * The pending hooks to store with the record, so that a crash does not lose them (docs/decisions/0018). `existing`
   * are those that the record holds already. Both as stored text; undefined when there are none.
   */
  pendingHooks(
    record: StoredRecord,
    earlier: StoredRecord | undefined,
    existing: string | undefined,
  ): string | undefined
  /** Awaits the write of the record, and writes the run log in parallel. */
  withRunLog<T>(write: Promise<T>): Promise<T>
  /**
   * Runs the after hooks of a stored write and clears its pending hooks. Never throws. Answers the record's current
   * item when that is known without another read.
   */
  after(record: StoredRecord, earlier: StoredRecord | undefined, written: Item): Promise<Item | undefined>
}

export interface Hooks {
  /** Throws Invalid when scripts call each other too deep; nothing is written then. */
  begin(actor: Actor, table: Table, action: HookAction): Promise<HookedOperation>
  /** Runs the pending hooks of a record after a crash. Answers whether any were due. */
  runPending(tenant: Tenant, model: string, id: number, when: 'overdue' | 'now'): Promise<boolean>
}

/** For a table without hooks, and for writes that no hook may refuse. */
export const noHooks: HookedOperation = {
  hasBefore: false,
  before: async ({ data }) => data ?? {},
  intents: () => [],
  pendingHooks: (_record, _old, carried) => carried,
  withRunLog: (write) => write,
  after: async () => undefined,
}
