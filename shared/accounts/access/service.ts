export { permissionWarnings } from './check-permissions.ts'
export { checkLimits, type Limits } from './check-limits.ts'
export { createRowAccess, type RowAccess } from './row-access.ts'
