import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxReplayMs, maxReplayRecords } from '../../../kernel/limits/decisions.ts'
import { maxJobInputBytes } from '../../../kernel/limits/imports.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import { packedBytes } from '../../../platform/store/values/pack-json.ts'
import type { ReplayAccepted, ReplayAnswer, ReplayBody } from '../schema.ts'
import { openReplay, type ReplayDependencies } from './open-replay.ts'
import { replayJobKind, type ReplayInput } from './replay-job.ts'

/**
 * Evaluates a decision, and a candidate beside it, for the newest records of a table that match, and counts what each rule
 * answers. More than a thousand are work for a job, whose id it answers. Writes nothing. Throws NotFound, Forbidden, and
 * Invalid for a wrong filter, mapping or candidate.
 */
export async function replayDecision(
  services: ReplayDependencies & { readonly jobs: Pick<Jobs, 'start'> },
  caller: Caller,
  reference: string,
  body: ReplayBody,
): Promise<ReplayAnswer | ReplayAccepted> {
  const { clock, jobs } = services
  const replay = await openReplay(services, caller, reference, body)
  const { limit = maxReplayRecords } = body
  const wanted = limit > maxReplayRecords ? Math.min(limit, await replay.count()) : limit
  if (wanted > maxReplayRecords) {
    const input: ReplayInput = { decision: reference, body: { ...body, version: replay.version, limit } }
    if (packedBytes(input) > maxJobInputBytes)
      throw new Invalid({
        [body.dmn_xml === undefined ? 'filter' : 'dmn_xml']: [
          `It is too large for the replay of more than ${maxReplayRecords} records: with the filter it may have ${maxJobInputBytes / 1024} KB compressed.`,
        ],
      })
    return { job_id: await jobs.start(caller.tenant, caller, replayJobKind, input, { total: wanted }) }
  }
  const endsAt = clock.now() + maxReplayMs
  const { outcomes } = await replay.advance(undefined, limit, () => clock.now() > endsAt)
  return outcomes()
}
