import type { Caller } from '../../kernel/tenancy.ts'
import type { ProcessActor } from '../rows/command-rows.ts'

/** In whose name a caller acts on a process. */
export const processActor = ({ userId, impersonator }: Pick<Caller, 'userId' | 'impersonator'>): ProcessActor => ({
  userId,
  ...(impersonator && { impersonatorId: impersonator.id }),
})
