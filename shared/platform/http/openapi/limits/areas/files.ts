import * as limits from '../../../../../kernel/limits/files.ts'
import { explained } from '../explained.ts'

export const filesLimits = explained('Files', limits, {
  maxFileBytes: ['bytes', 'an uploaded file', '422 on `size`'],
  maxFileNameBytes: ['bytes', 'the name of a file in its path', 'It is cut, the extension stays'],
  maxMailedFilesBytes: [
    'bytes',
    'files that leave inside a mail, together',
    'They leave as links that are valid for 30 days; they are 20 MB as they are sent',
  ],
  maxGivenFileNameCharacters: ['characters', 'the name of a file to upload', '422 on `name`'],
})
