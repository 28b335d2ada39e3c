import { NotFound } from '../../../shared/kernel/failures/faults.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { findJobFor } from '../../../shared/platform/jobs/find-jobs.ts'
import { listJobs } from '../../../shared/platform/jobs/list-jobs.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { store } from '../../wiring/platform/store.ts'
import * as route from './routes.ts'

export const handler = endpointGroup({ authenticate }, [
  implement(route.listJobs, ({ caller, query }) => listJobs(store, caller.tenant, query)),
  implement(route.getJob, async ({ caller, params }) => {
    const job = await findJobFor(store, caller, params.id)
    if (!job) throw new NotFound('job', { id: params.id })
    return job
  }),
])
