import type { MacroDependencies } from '../../automation/macros/macros.ts'
import type { MacroRunDependencies } from '../../automation/macros/run-macro.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { RawQuery } from '../../lists/query/schema.ts'
import type { Queries } from '../../lists/query/service.ts'
import type { Jobs } from '../../platform/jobs/service.ts'

/** What working on the records of a batch needs. */
export interface WorkDependencies extends MacroRunDependencies {
  /** The administration of macros. */
  readonly macros: MacroDependencies
  /** Reads an object of the files bucket, where large history entries are stored. */
  readonly fetchObject: (key: string) => Promise<Uint8Array>
}

/** What a request that begins a batch needs. */
export interface BatchDependencies extends WorkDependencies {
  readonly queries: Pick<Queries, 'parse' | 'page'>
  readonly jobs: Pick<Jobs, 'prepare' | 'wake'>
  /** What a view finds. Throws NotFound, and Invalid for one of another table. */
  readonly queryOfView: (
    caller: Caller,
    model: string,
    view: number,
  ) => Promise<Pick<RawQuery, 'filter' | 'search' | 'without'>>
}
