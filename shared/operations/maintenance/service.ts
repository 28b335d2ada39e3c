export { rebuildJob } from './rebuild/rebuild-job.ts'
export { reindexTable } from './rebuild/reindex-table.ts'
export { repairJob } from './repair/repair-job.ts'
export { startRepairs } from './repair/start-repairs.ts'
