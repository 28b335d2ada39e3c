import { applyConfiguration } from './operations/apply-configuration.ts'
import { changeTable } from './operations/change-table.ts'
import { importInBackground } from './operations/import-in-background.ts'
import { importRows } from './operations/import.ts'
import { nightlyRepair } from './operations/nightly-repair.ts'
import { readHistory } from './operations/records/read-history.ts'
import { relate } from './operations/records/relate.ts'
import { search } from './operations/records/search.ts'
import { testOperations } from './test-operations.ts'

testOperations([
  importRows,
  importInBackground,
  readHistory,
  search,
  relate,
  changeTable,
  applyConfiguration,
  nightlyRepair,
])
