export { exportJob } from './export/export-job.ts'
export { exportRecords } from './export/export-records.ts'
export { importJob } from './import/import-job.ts'
export { importRecords } from './import/import-records.ts'
