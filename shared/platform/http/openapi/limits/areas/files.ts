import * as limits from '../../../../../kernel/limits/files.ts'
import { explained } from '../explained.ts'

export const filesLimits = explained('Files', limits, {
  maxFileBytes: ['bytes', 'an uploaded file', '422 on `size`'],
  maxFileNameBytes: ['bytes', 'the name of a file in its path', 'It is cut, the extension stays'],
  maxGivenFileNameCharacters: ['characters', 'the name of a file to upload', '422 on `name`'],
})
