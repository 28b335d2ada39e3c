import { environment } from '../../shared/kernel/runtime/environment.ts'
import { clock } from '../../shared/kernel/time/clock.ts'

/** Reserved for starting a job: the HTTP API times out after 30 s. */
const reserveMs = 9_000

/** A check whether it is time to continue as a job. */
export function answerDeadline(remainingMs: () => number): () => boolean {
  const end = clock.now() + environment().ANSWER_WITHIN_MS
  return () => clock.now() >= end || remainingMs() < reserveMs
}
