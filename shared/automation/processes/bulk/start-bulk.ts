import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import type { BulkBody } from '../operations/schema.ts'
import { bulkJobKind, type BulkInput } from './bulk-job.ts'
import { onlyValue, readInstanceFilter } from './instance-filter.ts'

/** Starts the job that does the same to many instances; answers its id. Throws Invalid for a filter that is wrong. */
export async function startBulk(
  { jobs }: { readonly jobs: Pick<Jobs, 'start'> },
  caller: Caller,
  { filter, action, version, mapping, reason }: BulkBody,
): Promise<{ readonly job_id: number }> {
  readInstanceFilter(filter)
  if (action === 'migrate' && version === undefined)
    throw new Invalid({ version: ['The version field is required to migrate.'] })
  if (action === 'migrate' && typeof onlyValue(filter, 'template_id') !== 'number')
    throw new Invalid({ 'filter.template_id': ['Name the template whose version it is: {"template_id": 7}.'] })
  if (action !== 'migrate' && (version ?? mapping) !== undefined)
    throw new Invalid({
      [version === undefined ? 'mapping' : 'version']: [`Only migrate takes it, and not ${action}.`],
    })
  if (action !== 'cancel' && reason) throw new Invalid({ reason: [`Only cancel takes it, and not ${action}.`] })
  const input: BulkInput = {
    filter,
    action,
    ...(version !== undefined && { version }),
    ...(mapping && { mapping }),
    ...(reason && { reason }),
  }
  return { job_id: await jobs.start(caller.tenant, caller, bulkJobKind, input) }
}
