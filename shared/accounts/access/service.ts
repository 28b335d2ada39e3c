export { permissionWarnings } from './check-permissions.ts'
export { checkLimits, type Limits } from './check-limits.ts'
export { limitChecks } from './limit-checks.ts'
export { createRowAccess, type RowAccess } from './row-access.ts'
