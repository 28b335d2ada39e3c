import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import type { FileDependencies } from '../../../shared/tables/files/check-upload.ts'
import { store } from '../platform/store.ts'

const bucket = requireEnvironment('FILES_BUCKET')
let opening: ReturnType<FileDependencies['objects']> | undefined

/** The files of records. The S3 client is loaded with the first file. */
export const files: FileDependencies = {
  store,
  clock,
  objects: () =>
    (opening ??= import('../../../shared/platform/objects/object-storage.ts').then(({ openObjectStorage }) =>
      openObjectStorage(bucket),
    )),
}
