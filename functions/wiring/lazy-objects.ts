import { requireEnvironment } from '../../shared/kernel/require-environment.ts'

const bucket = requireEnvironment('FILES_BUCKET')
const load = async () => (await import('../../shared/objects/files-bucket.ts')).filesBucket(bucket)
let opened: ReturnType<typeof load> | undefined
const open = () => (opened ??= load())

/** What is too large for a row, for functions that seldom use S3: its client is imported with the first object. */
export const lazyObjects = {
  fetchObject: async (key: string): Promise<Uint8Array> => (await open()).fetchObject(key),
  putObject: async (key: string, body: Uint8Array): Promise<void> => (await open()).putObject(key, body),
}
