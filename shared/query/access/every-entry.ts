import type { PlanContext } from '../plan/plan-context.ts'
import { commonIds, listIds } from './list-ids.ts'
import { indexRequired, rowsOf, scanTable, sortedEntries, type Entry } from './table-scan.ts'

/** Every record of a list with its sort values, sorted in memory: for lists that no index has in order. */
export async function everyEntry(run: PlanContext): Promise<readonly Entry[]> {
  const { sources, isEmpty } = run.sources
  if (isEmpty) return []
  const most = run.isUnbounded ? run.limits.maxKeys : run.limits.maxRead + 1
  const lists = await Promise.all(sources.map((source) => listIds(run, source, most)))
  const whole = lists.filter(({ isComplete }) => isComplete)
  if (whole.length === 0) return scanTable(run)
  const ids = commonIds(whole)
  if (ids.size > run.limits.maxRead && !run.isUnbounded) throw indexRequired(run)
  return sortedEntries(run, [rowsOf(run, ids)])
}
