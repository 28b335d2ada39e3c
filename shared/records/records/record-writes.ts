import type { Queries } from '../../lists/query/service.ts'
import type { Actor } from './actor.ts'
import type { RecordDependencies } from './dependencies.ts'
import { createHooks } from './hooks/hooks.ts'
import type { HookContext, LoadScripts } from './hooks/run-hook.ts'
import { scriptRecords } from './hooks/script-records.ts'
import { recordQueries } from './read/record-reads.ts'

export type RecordWrites = RecordDependencies & {
  /** Loads the script runtime, with records as scripts reach them. */
  readonly openScripts: () => Promise<HookContext>
}

/** Wires record writes to the hooks of the tables, whose scripts write records in turn. */
export function createRecordWrites({
  loadScripts,
  queries,
  ...given
}: Omit<RecordDependencies, 'hooks'> & {
  readonly queries: Queries
  /** Imports the script runtime; called by the first hook. */
  readonly loadScripts: LoadScripts
}): RecordWrites {
  const recordsFor = (actor: Actor) => scriptRecords(writes, recordQueries(writes, queries), actor)
  const hooks = createHooks({ ...given, loadScripts, recordsFor })
  const writes: RecordWrites = { ...given, hooks, openScripts: () => hooks.open() }
  return writes
}
