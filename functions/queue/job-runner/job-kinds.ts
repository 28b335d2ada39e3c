import { findViewer } from '../../../shared/accounts/sessions/authentication.ts'
import { findTenant } from '../../../shared/accounts/tenants/find-tenant.ts'
import { replayJob } from '../../../shared/automation/decisions/replay/replay-job.ts'
import { bulkInstancesJob } from '../../../shared/automation/processes/bulk/bulk-job.ts'
import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { keptStamps } from '../../../shared/lists/columns/keeper/kept-stamps.ts'
import { administratorBell } from '../../../shared/messages/bell/tell-administrators.ts'
import { deliveriesJob } from '../../../shared/messages/deliveries/administer/change-many.ts'
import { batchJob } from '../../../shared/operations/batches/batch-job.ts'
import { applyJob as applyConfigurationJob } from '../../../shared/operations/configuration/apply/apply-job.ts'
import { exportJob as exportConfigurationJob } from '../../../shared/operations/configuration/export/export-job.ts'
import { exportJob } from '../../../shared/operations/import-export/export/export-job.ts'
import { fileImportJob } from '../../../shared/operations/import-export/import-file/file-import-job.ts'
import { importJob } from '../../../shared/operations/import-export/import/import-job.ts'
import { deriveValues } from '../../../shared/operations/maintenance/rebuild/derive-values.ts'
import { rebuildJob } from '../../../shared/operations/maintenance/rebuild/rebuild-job.ts'
import { repairJob } from '../../../shared/operations/maintenance/repair/repair-job.ts'
import { purgeJob } from '../../../shared/operations/tenant-life/deletion/purge-job.ts'
import { erasureJob } from '../../../shared/operations/tenant-life/erasure/erasure-job.ts'
import { tenantExportJob } from '../../../shared/operations/tenant-life/export/export-job.ts'
import type { JobKind } from '../../../shared/platform/jobs/define-job.ts'
import { largeObjects } from '../../../shared/platform/objects/large-objects.ts'
import { objectListing } from '../../../shared/platform/objects/object-listing.ts'
import { createTenantScan } from '../../../shared/platform/store/tenant-scan.ts'
import { configurationSections as sections } from '../../wiring/configuration-sections.ts'
import { keeper } from '../../wiring/lists/keeper.ts'
import { queries } from '../../wiring/lists/queries.ts'
import { wakeDeliveries } from '../../wiring/messages/wake-deliveries.ts'
import { config } from '../../wiring/platform/config.ts'
import { objects } from '../../wiring/platform/objects.ts'
import { send } from '../../wiring/platform/send.ts'
import { store } from '../../wiring/platform/store.ts'
import { decisionDependencies } from '../../wiring/processes/decision-dependencies.ts'
import { processes } from '../../wiring/processes/processes.ts'
import { comments } from '../../wiring/records/comments.ts'
import { macroDependencies } from '../../wiring/records/macros.ts'
import { recordWrites } from '../../wiring/records/record-writes.ts'
import { tables } from '../../wiring/tables/tables.ts'

const viewer = (tenant: Tenant, userId: number) => findViewer({ store, config }, tenant, userId)
const bucket = requireEnvironment('FILES_BUCKET')
const files = largeObjects(bucket)
const scan = createTenantScan(requireEnvironment('TABLE_NAME'), {
  clock,
  unitsPerSecond: environment().PURGE_READ_UNITS,
})
const listing = objectListing(bucket)
const searchQueueUrl = requireEnvironment('SEARCH_QUEUE_URL')
const settleMs = environment().SETTLE_MS

/** Every kind of job. */
export const jobKinds: readonly JobKind[] = [
  importJob({ ...recordWrites, queries, columnLog: keeper, objects, findViewer: viewer }),
  fileImportJob({
    ...recordWrites,
    queries,
    columnLog: keeper,
    objects,
    findViewer: viewer,
    timeZone: queries.timeZone,
  }),
  batchJob({ ...recordWrites, ...objects, comments, macros: macroDependencies, findViewer: viewer }),
  bulkInstancesJob(processes),
  replayJob({ ...decisionDependencies, tables, queries, findViewer: viewer }),
  deliveriesJob({ store, clock, wake: wakeDeliveries }),
  exportJob({ tables, queries, files, clock, findViewer: viewer }),
  repairJob({
    store,
    tables,
    clock,
    objects,
    columns: { knownStamps: (...of) => keptStamps(store, ...of), send, queueUrl: searchQueueUrl },
    rollups: { store, send, fetchObject: objects.fetchObject, queueUrl: requireEnvironment('ROLLUPS_QUEUE_URL') },
    references: { ...recordWrites, fetchObject: objects.fetchObject, tell: administratorBell({ store, clock }) },
    settleMs,
  }),
  rebuildJob({
    store,
    config,
    tables,
    clock,
    deriveValues: (tenant, table, ids, tell) =>
      deriveValues({ store, clock, tables, queries }, tenant, table, ids, tell),
    rebuildChunk: (tenant, { name }, chunk, tell) => keeper.rebuildChunk(tenant, name, chunk, tell),
    settleMs,
  }),
  tenantExportJob({ store, config, tables, clock, files, listing, ...objects, findViewer: viewer }),
  erasureJob({ store, clock, objects: listing, settleMs }),
  applyConfigurationJob({ sections, objects, findTenant: (id) => findTenant(store, id), findViewer: viewer }),
  exportConfigurationJob({ sections, files, clock, findViewer: viewer }),
  purgeJob({ store, clock, scan, objects: listing }),
]
