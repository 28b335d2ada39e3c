import * as limits from '../../../../../kernel/limits/imports.ts'
import { explained } from '../explained.ts'

export const importsLimits = explained('Imports, exports and jobs', limits, {
  maxImportRows: ['rows', 'rows of an import', '422 on `rows`'],
  maxBulkIds: ['ids', 'ids that a bulk change names', '422 on `ids`'],
  maxBulkRecords: ['records', 'records that a bulk change is about', '422 on `filter`'],
  maxListedOfBatch: ['records', 'failed records that a batch lists, and kept ones', 'The first ones are listed'],
  maxCsvColumns: ['columns', 'columns of a CSV file that is imported', '422'],
  maxCsvLineBytes: ['bytes', 'a line of such a file', '400'],
  maxNamedFieldsPerRow: ['fields', 'wrong fields that an import names of a row', 'The first ones are named'],
  maxJobAttempts: ['attempts', 'attempts of a job that fails', 'The job is `failed`'],
  maxJobDeaths: [
    'processes',
    'processes that end while they run the same step of a job, as when memory runs out',
    'The job is `failed`, and one of its errors says so',
  ],
  maxJobErrors: ['errors', 'errors that a job lists', 'One more entry says how many are not listed'],
  maxJobErrorBytes: ['bytes', 'the errors of a job, compressed', 'One more entry says how many are not listed'],
  maxJobErrorAnswerBytes: [
    'bytes',
    'the errors of a job, as an answer carries them',
    'One more entry says how many are not listed',
  ],
  maxJobInputBytes: ['bytes', 'the filter of a list that a job works on, compressed', '422 on `filter`'],
  maxJobRowBytes: [
    'bytes',
    'what a job keeps between its steps, with its errors and its input, compressed',
    'The job is `failed`, and one of its errors says so',
  ],
  maxXlsxRecords: ['records', 'records of an export in XLSX', '422 on `format`'],
  maxXlsxCellCharacters: ['characters', 'a cell of an export in XLSX', '422 on `fields`'],
  maxImportFileRows: ['rows', 'rows of a file that is imported', 'The job is `failed`, and says so'],
  maxImportFileBytes: ['bytes', 'a file that is imported', '422 on `path`'],
  maxWorkbookBytes: ['bytes', 'the XML of a workbook that is imported, unpacked', '422 on `path`'],
  maxWorkbookEntries: ['files', 'files in a workbook that is imported', '422 on `path`'],
  maxImportFileCells: ['cells', 'cells of a sheet that is imported', '422 on `path`'],
  maxImportMappings: ['mappings', 'saved mappings of files', '422'],
  maxImportMappingBytes: ['bytes', 'the columns and fields of a saved mapping', '422 on `mapping`'],
  maxSheetNameCharacters: ['characters', 'the name of a sheet', '422 on `sheet`'],
  maxKeyMatches: ['records', 'records that the keys of some 100 rows match together', '422 on `key`'],
  maxLegacyNumber: ['as a number', 'the auto number of a legacy record', 'The row is refused'],
  maxRebuildErrors: ['errors', 'values held twice that one step of a rebuild lists', 'The first ones are listed'],
})
