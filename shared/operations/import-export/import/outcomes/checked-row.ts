import type { FieldErrors } from '../../../../kernel/failures/faults.ts'
import type { Write } from '../../../../platform/store/store.ts'
import type { Item } from '../../../../platform/store/values/marshal.ts'
import type { PreparedRecord } from '../../../../records/records/write/create-record.ts'
import type { RowFailure } from '../../schema.ts'

/** A record that a row changes. */
export interface Target {
  readonly id: number
  readonly item: Item
  /** The row of the record that its key names, when that was merged into this one. */
  readonly merged?: Item
}

/** A row whose record there was: what became of it. */
export interface WrittenRow {
  readonly row: number
  readonly id: number
  readonly as: 'updated' | 'unchanged'
}

/** A row that may be stored, the record that it changes, what became of that, or the failure of the row. */
export type CheckedRow =
  | {
      readonly row: number
      readonly prepared: PreparedRecord
      /** The write that keeps another import from creating a record with the same key. */
      readonly claim?: (id: number) => Write
    }
  | {
      readonly row: number
      readonly target: Target
      readonly body: Readonly<Record<string, unknown>>
      /** Of references that name no record, or several. */
      readonly unnamed?: FieldErrors
    }
  | { readonly row: number; readonly written: WrittenRow }
  | { readonly row: number; readonly failure: RowFailure }
