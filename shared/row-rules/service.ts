export { checkRules } from './check-rules.ts'
export { createRowAccess, queryViewerOf, type Limited, type RowAccess } from './row-access.ts'
