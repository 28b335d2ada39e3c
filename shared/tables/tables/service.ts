export type { NamedByProcess } from './administration/find-uses.ts'
export { requireUnused } from './administration/require-unused.ts'
export { type CheckFilter, type RollupField, rollupsOf } from './checks/check-rollups.ts'
export { transitionRoleWarnings } from './checks/check-transition-roles.ts'
export { administerTables, type TableAdministration } from './administration/administer-tables.ts'
export { bindProcesses, bindSubscriptions } from './administration/bind-consumers.ts'
export { defaultLabel, defaultTitleField } from './administration/default-titles.ts'
export { withoutDoneRenames } from './renames/plan-renames.ts'
export { previewRenames } from './renames/preview-renames.ts'
export { ErrorList } from './error-list.ts'
export { type Referrer, type Tables, createTables } from './read-tables.ts'
export { RebuildInput, rebuildKind } from './rebuild-input.ts'
export { searchedFields } from './searched-fields.ts'
export { systemTable } from './system-tables.ts'
export {
  type Automation,
  type StoredTable,
  type Table,
  readStoredTable,
  readTable,
  tableDocument,
  tableHead,
} from './table.ts'
export { tableAsSeen } from './table-as-seen.ts'
export { renameInFilter, renameInPath, type TableRenames } from './renames/rename-in-filter.ts'
