import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'
import { filesBucket } from '../../../shared/platform/objects/files-bucket.ts'

/** Values that are too large for a row, for functions that use S3 in most invocations. Others use `lazyObjects`. */
export const objects = filesBucket(requireEnvironment('FILES_BUCKET'))
