import type { Caller } from '../tenancy.ts'
import type { ProcessActor } from './open-work.ts'

/** In whose name a caller acts on a process. */
export const processActor = ({ userId, impersonator }: Pick<Caller, 'userId' | 'impersonator'>): ProcessActor => ({ userId, ...(impersonator && { impersonatorId: impersonator.id }) })
