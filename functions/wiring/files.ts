import { clock } from '../../shared/kernel/clock.ts'
import { requireEnvironment } from '../../shared/kernel/require-environment.ts'
import type { FileDependencies } from '../../shared/tables/files/service.ts'
import { store } from './store.ts'

const bucket = requireEnvironment('FILES_BUCKET')
let opening: ReturnType<FileDependencies['objects']> | undefined

/** The files of records. The S3 client is loaded with the first file. */
export const files: FileDependencies = {
  store,
  clock,
  objects: () =>
    (opening ??= import('../../shared/platform/objects/object-storage.ts').then(({ openObjectStorage }) =>
      openObjectStorage(bucket),
    )),
}
