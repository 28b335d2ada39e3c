export { exportJob } from './export/export-job.ts'
export { exportByBody, exportByParameters } from './export/export-records.ts'
export { importJob } from './import/import-job.ts'
export { importRecords } from './import/import-records.ts'
