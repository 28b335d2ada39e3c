export { listRows, type RowList } from './list-rows.ts'
export { type IdSource, scanIds } from './scan-ids.ts'
