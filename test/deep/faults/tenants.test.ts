import { eraseUser } from './operations/erase-user.ts'
import { exportTenant } from './operations/export-tenant.ts'
import { purgeTenant } from './operations/purge-tenant.ts'
import { testOperations } from './test-operations.ts'

testOperations([purgeTenant, exportTenant, eraseUser])
