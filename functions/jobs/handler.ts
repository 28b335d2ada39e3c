import { NotFound } from '../../shared/faults.ts'
import { group } from '../../shared/http/group.ts'
import { implement } from '../../shared/http/implement.ts'
import { compose } from '../compose.ts'
import * as route from './routes.ts'

const { authenticate, jobs } = compose()

export const handler = group({ authenticate }, [
  implement(route.getJob, async ({ caller, params }) => {
    const job = await jobs.findFor(caller, params.id)
    if (!job) throw new NotFound('job', { id: params.id })
    return job
  }),
])
