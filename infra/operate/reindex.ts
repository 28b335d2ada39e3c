/**
 * `npm run reindex`: starts jobs that make the column index of one table or all, of one tenant or all, anew from the
 * records, and count them. Works on the local service, running or stopped (`DATA_DIR`), or on a deployed one (`--stage`).
 * The service runs the jobs.
 */

import { findTenant, findTenantBySlug } from '../../shared/accounts/tenants/find-tenant.ts'
import { NotFound } from '../../shared/kernel/failures/faults.ts'
import type { Tenant } from '../../shared/kernel/tenancy.ts'
import { clock } from '../../shared/kernel/time/clock.ts'
import { reindexTable } from '../../shared/operations/maintenance/rebuild/reindex-table.ts'
import { createJobs } from '../../shared/platform/jobs/service.ts'
import { createConfig } from '../../shared/platform/store/config.ts'
import { tenantSequenceKey } from '../../shared/platform/store/keys/auth.ts'
import { createStore, deploymentWide, type Store } from '../../shared/platform/store/store.ts'
import { createTables } from '../../shared/tables/tables/read-tables.ts'
import { type Given, runCommand } from './command.ts'
import { openTable } from './open-table.ts'

const command = {
  name: 'reindex',
  does: 'Makes the column index of tables anew from their records, and counts them: for wrong lists, searches or totals.',
  options: {
    table: { value: '<name>', meaning: 'only this table' },
    tenant: { value: '<slug>', meaning: 'only of this tenant' },
    stage: { value: '<name>', meaning: 'a deployed service; left out: the local one in DATA_DIR' },
    'dynamodb-table': { value: '<name>', meaning: 'its DynamoDB table, when the stage does not tell' },
  },
  example: '--table requests',
} as const

await runCommand(command, reindex)

async function reindex(given: Given<(typeof command)['options']>): Promise<void> {
  const target = await openTable({ stage: given.stage, table: given['dynamodb-table'] })
  try {
    const store = createStore(target.tableName, target.client)
    const config = createConfig(store, clock)
    const tables = createTables(config)
    // The command sends no message: the due-sweeper finds the job and wakes the runner.
    const jobs = createJobs({ store, clock, send: async () => [], queueUrl: '' })
    let started = 0
    for (const tenant of await tenantsOf(store, given.tenant)) {
      const names = given.table === undefined ? (await tables.all(tenant)).map(({ name }) => name) : [given.table]
      for (const name of names) {
        const id = await reindexTable({ store, config, clock, jobs }, tenant, name)
        if (id === undefined) continue
        started += 1
        console.log(
          `${tenant.slug}: job ${id} will reindex ${name}. It starts within a minute while the service runs: GET /api/sys/jobs/${id}`,
        )
      }
    }
    if (started === 0) {
      const named = given.table === undefined ? '' : ` ${given.table}`
      throw new NotFound('table', { model: given.table }, `The table${named} was not found.`)
    }
  } finally {
    target.client.destroy()
    await target.close()
  }
}

/** The tenant with this slug, or all tenants. */
async function tenantsOf(store: Store, slug: string | undefined): Promise<Tenant[]> {
  if (slug !== undefined) {
    const named = await findTenantBySlug(store, slug)
    if (!named) throw new NotFound('tenant', { slug }, `The tenant ${slug} was not found.`)
    return [named]
  }
  const last = Number((await store.get(deploymentWide, tenantSequenceKey))?.next ?? 0)
  const found = await Promise.all(Array.from({ length: last }, (_, index) => findTenant(store, index + 1)))
  return found.filter((tenant) => tenant !== undefined)
}
