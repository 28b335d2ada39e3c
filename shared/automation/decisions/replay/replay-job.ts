import * as z from 'zod'
import { Forbidden, Invalid } from '../../../kernel/failures/faults.ts'
import {
  maxReplayMs,
  maxReplayRecords,
  maxReplayResultCharacters,
  maxReplayResults,
} from '../../../kernel/limits/decisions.ts'
import { maxJobInputBytes } from '../../../kernel/limits/imports.ts'
import type { Caller, Viewer } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { defineJob, type JobKind } from '../../../platform/jobs/define-job.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import { packedBytes } from '../../../platform/store/values/pack-json.ts'
import { type ReplayAccepted, type ReplayAnswer, ReplayBody } from '../schema.ts'
import { openReplay, type ReplayDependencies, type ReplayProgress } from './open-replay.ts'

export const replayJobKind = 'decision-replay'

const Input = z.object({ decision: z.string(), body: ReplayBody })
export type ReplayInput = z.output<typeof Input>

interface Dependencies extends ReplayDependencies {
  /** The starter of the job with its current permissions; undefined when that account is disabled. */
  readonly findViewer: (tenant: Tenant, userId: number) => Promise<Viewer | undefined>
}

const bounds = { maxDifferent: maxReplayResults, maxCharacters: maxReplayResultCharacters }

/**
 * Evaluates a decision for many records, newest first, by the version and for the starter of the job. It writes nothing but
 * its counts, so that a repeated step counts nothing twice.
 */
export const replayJob = ({ findViewer, ...services }: Dependencies): JobKind =>
  defineJob(replayJobKind, Input, async ({ tenant, actor, timeIsUp }, { decision, body }, state?: ReplayProgress) => {
    const viewer = await findViewer(tenant, actor.userId)
    if (!viewer?.isAdministrator)
      throw new Forbidden('forbidden', 'The user who started this replay is no administrator any more.')
    const { limit = maxReplayRecords } = body
    const replay = await openReplay(services, viewer, decision, body)
    const { progress, isDone, outcomes } = await replay.advance(state, limit, timeIsUp, bounds)
    const { evaluated: done, total: matching } = progress
    const total = Math.min(limit, matching)
    return isDone ? { ended: 'done', done, total, result: outcomes() } : { state: progress, done, total }
  })

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
