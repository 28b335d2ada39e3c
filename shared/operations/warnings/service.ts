export { renameWarnings, tableRenameWarnings } from './rename-warnings.ts'
export { tableWarnings } from './table-warnings.ts'
