export { checkRules } from './check-rules.ts'
export { createRowAccess, type RowAccess } from './row-access.ts'
