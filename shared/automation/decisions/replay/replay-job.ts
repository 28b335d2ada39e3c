import * as z from 'zod'
import { Forbidden } from '../../../kernel/failures/faults.ts'
import { maxReplayRecords, maxReplayResultCharacters, maxReplayResults } from '../../../kernel/limits/decisions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { defineJob, type JobKind } from '../../../platform/jobs/define-job.ts'
import { ReplayBody } from '../schema.ts'
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
