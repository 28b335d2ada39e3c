import type { WarningCode } from '../../../kernel/failures/warning.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Finding } from '../../bpmn/shapes/compiled-process.ts'
import type { UserReference } from '../people/task-people.ts'

/** What a check needs of a table. */
export type KnownTable = Pick<Table, 'name' | 'fieldsByName'>
/** Finds a table by name; undefined when there is none. */
export type FindTable = (name: string) => Promise<KnownTable | undefined>

/** What the names of a document are looked up in. */
export interface KnownNames {
  readonly findTable: FindTable
  readonly roles: () => Promise<readonly string[]>
  /** The names and ids of channels. */
  readonly channels: () => Promise<readonly string[]>
  /** What each notification template names, by its code. */
  readonly templates: () => Promise<ReadonlyMap<string, readonly string[]>>
  /** The process templates that may be called. */
  readonly processes: () => Promise<readonly KnownProcess[]>
  /** The codes of decisions. */
  readonly decisions: () => Promise<readonly string[]>
  /** Which of these users do not exist. Looks up the first 1,000 ids and the first 100 addresses. */
  readonly missingUsers: (users: readonly UserReference[]) => Promise<ReadonlySet<UserReference>>
}

/** What a check needs of a process template. */
export interface KnownProcess {
  readonly code: string
  readonly table: string
  readonly isActive: boolean
  /** It starts with messages and the like only. */
  readonly isTriggered: boolean
}

/** What a document names that means nothing, or nothing yet. Without a code: a word of another engine. */
export interface ProcessWarning extends Omit<Finding, 'code'> {
  readonly code?: WarningCode
}
