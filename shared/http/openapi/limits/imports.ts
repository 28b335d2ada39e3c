import * as limits from '../../../kernel/limits/imports.ts'
import { explained } from './explained.ts'

export const importsLimits = explained('Imports, exports and jobs', limits, {
  maxImportRows: ['rows', 'rows of an import', '422 on `rows`'],
  maxNamedFieldsPerRow: ['fields', 'wrong fields that an import names of a row', 'The first ones are named'],
  maxJobAttempts: ['attempts', 'attempts of a job that fails', 'The job is `failed`'],
  maxJobErrors: ['errors', 'errors that a job lists', 'The last one says how many more there are'],
  maxJobErrorBytes: ['bytes', 'the errors of a job, compressed', 'The last one says how many more there are'],
  maxRebuildErrors: ['errors', 'values held twice that a rebuild lists', 'The last one says how many more there are'],
})
