import type { Viewer } from '../../kernel/principal.ts'
import type { Table } from '../../tables/tables/table.ts'
import type { NewestFirst } from './merge-newest.ts'
import type { TimelineEntry, TimelineKind } from './schema.ts'

/** An entry before its data is shortened. */
export type FullEntry = Omit<TimelineEntry, 'kind' | 'data' | 'is_shortened'> & {
  readonly data: object
  /** Parts of the data are left out already. */
  readonly isShortened?: boolean
}

/** Where the entries of a kind come from; a kind may have several sources. */
export interface TimelineSource<Row> extends NewestFirst<Row> {
  readonly kind: TimelineKind
  /** What its positions look like. */
  readonly position: RegExp
  /** The entries of some rows, in their order. */
  describe(rows: readonly Row[]): Promise<readonly FullEntry[]>
}

/** A source whose rows only itself knows. */
export type AnySource = TimelineSource<unknown>

/** Whose timeline is read, of which record. */
export interface TimelineSubject {
  readonly viewer: Viewer
  readonly model: string
  readonly id: number
  readonly table: Table
  /** The fields that field rules leave to the viewer; undefined: all. */
  readonly readable: ReadonlySet<string> | undefined
  /** Whether the viewer may update the record; of a deleted one, its last state. */
  readonly mayUpdate: boolean
  readonly isDeleted: boolean
  /** The record that it was merged into. */
  readonly mergedInto: number | undefined
  /** The records that were merged into it. */
  readonly merged: readonly number[]
}
