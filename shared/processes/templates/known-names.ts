import type { Table } from '../../tables/service.ts'

/** What a check needs of a table. */
export type KnownTable = Pick<Table, 'name' | 'fieldsByName'>
/** Finds a table by name; undefined when there is none. */
export type FindTable = (name: string) => Promise<KnownTable | undefined>

/** What the names of a document are looked up in. */
export interface KnownNames {
  readonly findTable: FindTable
  readonly roles: () => Promise<readonly string[]>
  /** Which of these users, or of the first 1,000 of them, do not exist. */
  readonly missingUsers: (ids: readonly number[]) => Promise<ReadonlySet<number>>
}
