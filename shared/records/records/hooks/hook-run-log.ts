import { runItem, writeRuns } from '../../../scripts/run-log.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { HookActor, HookContext, HookRun } from './run-hook.ts'

/** Collects the runs of one operation and writes their rows together, in parallel with a write of the request. */
export function hookRunLog(
  { store, nextId }: Pick<HookContext, 'store' | 'nextId'>,
  actor: HookActor,
  table: Pick<Table, 'name'>,
) {
  let runs: HookRun[] = []
  return {
    add(run: HookRun): void {
      runs.push(run)
    },
    write(recordId: number | null): Promise<unknown> {
      const rows = runs.map(({ automation, runId, result }): ReturnType<typeof runItem> =>
        runItem(
          actor.tenant,
          nextId(),
          {
            runId,
            kind: automation.kind,
            automationId: automation.id,
            name: automation.name,
            model: table.name,
            recordId,
            userId: actor.userId,
            impersonatorId: actor.impersonatorId,
            depth: actor.chain.path.length,
          },
          result,
        ),
      )
      runs = []
      return writeRuns(store, actor.tenant, rows)
    },
  }
}
