import type { Actor } from '../../../records/records/actor.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { ImportAnswer, RowFailure } from '../schema.ts'
import { checkRows, type SeenValues } from './check-rows.ts'
import type { KeyedDependencies } from './keyed/find-by-key.ts'
import type { ImportPlan } from './keyed/import-plan.ts'
import { openTitles } from './keyed/reference-titles.ts'
import { updateRows } from './keyed/update-rows.ts'
import { truncateFailures } from './outcomes/row-outcome.ts'

const batchRows = 98

/** How far a dry run is, and what the rows until there would come to. */
export interface DryRun {
  readonly nextRow: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly failures: readonly RowFailure[]
}

export const newDryRun: DryRun = { nextRow: 0, created: 0, updated: 0, unchanged: 0, failures: [] }

/**
 * Continues a dry run until its rows are checked, or time is up: every row with its hooks, and nothing is stored. `rows`
 * start with row number `offset`. Unique values are compared with those of earlier rows that the same call checks.
 */
export async function dryRunRows(
  records: KeyedDependencies,
  actor: Actor,
  table: Table,
  plan: ImportPlan,
  rows: readonly unknown[],
  offset: number,
  begun: DryRun,
  timeIsUp: () => boolean,
): Promise<DryRun> {
  const seen: SeenValues = new Map()
  const readTitles = plan.readsTitles ? openTitles(records, actor, table) : undefined
  const end = offset + rows.length
  let run = begun
  while (run.nextRow < end && (run === begun || !timeIsUp())) {
    const from = run.nextRow
    const some = rows.slice(from - offset, from - offset + batchRows)
    const checked = await checkRows(records, actor, table, plan, some, from, seen, { isDryRun: true, readTitles })
    const tried = await updateRows(records, actor, table, plan, checked, { isDryRun: true })
    const written = tried.flatMap((one) => ('written' in one ? [one.written] : []))
    const updated = written.filter(({ as }) => as === 'updated').length
    run = {
      nextRow: from + some.length,
      created: run.created + tried.filter((one) => 'prepared' in one).length,
      updated: run.updated + updated,
      unchanged: run.unchanged + written.length - updated,
      failures: [...run.failures, ...tried.flatMap((one) => ('failure' in one ? [one.failure] : []))],
    }
  }
  return run
}

/** What a dry run answers: no row gets an id. Nothing is created; by a key it says what would be. */
export const dryRunAnswer = (
  { created, updated, unchanged, failures }: DryRun,
  { mode }: Pick<ImportPlan, 'mode'>,
  total: number,
  times = 1,
): ImportAnswer => ({
  total,
  ...(mode === 'create' ? { created: 0 } : { created, updated, unchanged }),
  failed: failures.length,
  ids: Array.from({ length: total }, () => null),
  errors: truncateFailures(failures, times),
})
