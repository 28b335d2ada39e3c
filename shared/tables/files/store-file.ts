import { maxFileBytes } from '../../kernel/limits/files.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import { isNew } from '../../platform/store/writes/conditions.ts'
import { unclaimedMs } from './begin-upload.ts'
import type { FileDependencies } from './check-upload.ts'
import { fitsType } from './content-type.ts'
import { safeFileName } from './file-name.ts'
import { fileItem, filePath } from './file-row.ts'
import { isMediaType } from './schema.ts'

/** A file that did not come by an upload. */
export interface GivenFile {
  readonly name: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** A file as it was stored: the name is safe in a path, and the type is one that the content can have. */
export interface KeptFile {
  readonly name: string
  readonly contentType: string
  readonly size: number
  readonly path: string
}

const unknownType = 'application/octet-stream'
const signatureBytes = 4096

/** What storing a file needs. */
export type FileStorage = Pick<FileDependencies, 'store' | 'clock'> & {
  readonly putObject: (key: string, body: Uint8Array) => Promise<void>
}

/**
 * Stores a file that arrived with a message. It is removed after a day unless something claims it. A type that its
 * content does not fit becomes `application/octet-stream`. Throws RangeError for more than 100 MB.
 */
export async function storeFile(
  { store, clock, putObject }: FileStorage,
  tenant: TenantRef,
  { name: givenName, contentType: givenType, bytes }: GivenFile,
): Promise<KeptFile> {
  if (bytes.byteLength > maxFileBytes) throw new RangeError('a file has at most 100 MB')
  const token = clock.bytes(18).toString('base64url')
  const name = safeFileName(givenName)
  const path = filePath(tenant, token, name)
  const type = givenType.split(';')[0]?.trim().toLowerCase() ?? ''
  const contentType = isMediaType(type) && fitsType(type, bytes.subarray(0, signatureBytes)) ? type : unknownType
  const now = clock.now()
  const file = { token, path, name, contentType, size: bytes.byteLength, uploadedBy: 0 }
  // The row comes first: an object without a row would never be swept.
  await store.write(tenant, {
    put: {
      ...fileItem(tenant, file, { createdAt: isoTime(now), dueAt: isoTime(now + unclaimedMs) }),
      checked_at: isoTime(now),
    },
    if: isNew,
  })
  await putObject(path, bytes)
  return { name, contentType, size: file.size, path }
}
