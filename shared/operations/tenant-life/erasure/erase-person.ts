import type * as z from 'zod'
import { eraseUser } from '../../../accounts/people/erase-user.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { EraseUserAnswer } from '../schema.ts'
import { erasureJobKind, type ErasureState } from './erasure-job.ts'

interface Dependencies {
  readonly store: Store
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'prepare' | 'wake' | 'start'>
}

const kept =
  'Records, their history, comments and files keep what people typed, and incoming messages keep what came in, with the name, address or chat of their sender. Where somebody wrote the name or the address, change it there. Messages and notifications that others got keep the name for 90 days, logs of scripts for 30.'

/**
 * Erases the person behind a user of the caller's tenant: the account at once, the copies of name and address by the
 * job that the same transaction stores. Throws as `eraseUser` does. For an erased user the job runs again.
 */
export async function erasePerson(
  { store, clock, jobs }: Dependencies,
  caller: Caller,
  id: number,
): Promise<z.input<typeof EraseUserAnswer>> {
  const { tenant } = caller
  const input = { user_id: id }
  let jobId: number | undefined
  const isNow = await eraseUser({ store, clock }, caller, id, async ({ email, messengerChat: chat }) => {
    const state: ErasureState = { email, chat }
    const job = await jobs.prepare(tenant, caller, erasureJobKind, input, { state })
    jobId = job.id
    return [{ write: job.write }]
  })
  if (isNow && jobId !== undefined) await jobs.wake(tenant, jobId)
  return {
    job_id: isNow && jobId !== undefined ? jobId : await jobs.start(tenant, caller, erasureJobKind, input),
    kept,
  }
}
