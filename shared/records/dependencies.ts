import type { Files } from '../files/service.ts'
import type { Clock } from '../kernel/clock.ts'
import type { RecordLinks } from '../relations/service.ts'
import type { RowAccess } from '../row-rules/service.ts'
import type { Store } from '../store/table.ts'
import type { Tables } from '../tables/service.ts'
import type { Actor } from './actor.ts'
import type { Hooks } from './hooks/hooked-operation.ts'

/** What every operation on records works with. */
export interface RecordDependencies {
  readonly store: Store
  readonly tables: Tables
  readonly clock: Clock
  /** What records hold of files. */
  readonly files: Pick<Files, 'check' | 'writes' | 'cleanUp'>
  /** A delete takes the record's links along. */
  readonly links: RecordLinks
  /** Which records an actor's row rules reach. */
  readonly access: RowAccess
  /** The scripts that administrators attached to tables. */
  readonly hooks: Hooks
  /** Processes are a slice above records: they are passed in. */
  readonly startProcess: StartProcess
}

/** Starts a process for a record and answers its id; with the same `once` again, that of the first time. */
export type StartProcess = (actor: Actor, code: string, model: string, id: number, startKey: string) => Promise<number>
