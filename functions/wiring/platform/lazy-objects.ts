import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'

const bucket = requireEnvironment('FILES_BUCKET')
const load = async () => (await import('../../../shared/platform/objects/files-bucket.ts')).filesBucket(bucket)
let opened: ReturnType<typeof load> | undefined
const open = () => (opened ??= load())

/**
 * Values that are too large for a row, for functions that rarely use S3: its client is loaded with the first object.
 */
export const lazyObjects = {
  fetchObject: async (key: string): Promise<Uint8Array> => (await open()).fetchObject(key),
  putObject: async (key: string, body: Uint8Array): Promise<void> => (await open()).putObject(key, body),
}
