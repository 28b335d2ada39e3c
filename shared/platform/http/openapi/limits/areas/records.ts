import * as limits from '../../../../../kernel/limits/records.ts'
import { explained } from '../explained.ts'

export const recordsLimits = explained('Records', limits, {
  maxRecordBytes: ['bytes', 'the values of a record', '422 record_too_large'],
  maxFilesPerField: ['files', 'files in a field', '422'],
  maxFilePathCharacters: ['characters', 'the path of a file', '422'],
  maxFilesPerWrite: ['files', 'files that one write adds to a record', '422'],
  maxFilesPerMerge: ['files', 'files that a merge adds to a record', 'The fields of the others are in `not_filled`'],
  maxFilesPerCheck: ['files', 'files that one write names', '422'],
  maxMergedRecords: ['records', 'records that are merged into one, and into those', '409 too_many_merged'],
  maxOrgUnitLevels: ['levels', 'organisational units below each other', '422 on `parent_id`'],
})
