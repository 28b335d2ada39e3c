import { group } from '../../shared/http/routing/endpoint-group.ts'
import { implement } from '../../shared/http/routing/implement.ts'
import { NotFound } from '../../shared/kernel/faults.ts'
import { compose } from '../wiring/compose.ts'
import * as route from './routes.ts'

const { authenticate, jobs } = compose()

export const handler = group({ authenticate }, [
  implement(route.getJob, async ({ caller, params }) => {
    const job = await jobs.findFor(caller, params.id)
    if (!job) throw new NotFound('job', { id: params.id })
    return job
  }),
])
