import { namesOf } from '../../../accounts/people/user.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Store } from '../../../platform/store/store.ts'
import { runsOfRecord } from '../../../scripts/runs-of-record.ts'
import type { ScriptRunAnswer } from '../../../scripts/schema.ts'
import type { TimelineSource, TimelineSubject } from '../timeline-source.ts'

/** The scripts that ran for a record, for administrators. */
export function scriptRunsOf(
  services: { readonly store: Pick<Store, 'query' | 'getMany'>; readonly clock: Pick<Clock, 'now'> },
  { viewer, model, id }: TimelineSubject,
): TimelineSource<ScriptRunAnswer> {
  const { tenant } = viewer
  return {
    name: 'script',
    kind: 'script',
    position: /^\d{16}#[\w.:-]{1,100}$/,
    async read(from, limit) {
      const { runs, ...rest } = await runsOfRecord(services, tenant, { model, id }, from, limit)
      return { heads: runs.map(({ sort, run }) => ({ at: run.created_at, position: sort, row: run })), ...rest }
    },
    async describe(runs) {
      const users = runs.flatMap(({ user_id }) => user_id || [])
      const names = await namesOf(services.store, tenant, users)
      return runs.map((run) => ({
        at: run.created_at,
        id: `${run.id}.${run.run_id}`,
        ...(run.user_id > 0 && { user: { id: run.user_id, name: names.get(run.user_id) ?? 'Unknown user' } }),
        summary: `Script ${run.name ?? run.kind} ${outcomes[run.status]}`,
        data: run,
      }))
    },
  }
}

const outcomes = { ok: 'ran', error: 'failed', stopped: 'was stopped' } as const
