import { clock } from '../../../shared/kernel/time/clock.ts'
import { deleteTenant, restoreTenant } from '../../../shared/operations/tenant-life/deletion/delete-tenant.ts'
import { erasePerson } from '../../../shared/operations/tenant-life/erasure/erase-person.ts'
import { startTenantExport } from '../../../shared/operations/tenant-life/export/start-export.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { jobs } from '../../wiring/jobs.ts'
import { store } from '../../wiring/platform/store.ts'
import * as route from './routes.ts'

const dependencies = { store, clock, jobs }

export const handler = endpointGroup({ authenticate }, [
  implement(route.exportTenant, async ({ caller }) => ({ job_id: await startTenantExport(dependencies, caller) })),
  implement(route.eraseUser, ({ caller, params }) => erasePerson(dependencies, caller, params.id)),
  implement(route.deleteTenant, async ({ caller, body }) => ({
    delete_at: await deleteTenant(dependencies, caller, body.slug),
  })),
  implement(route.restoreTenant, async ({ caller }) => {
    await restoreTenant(dependencies, caller)
    return { slug: caller.tenant.slug, name: caller.tenant.name }
  }),
])
