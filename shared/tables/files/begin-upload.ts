import type { Caller } from '../../kernel/principal.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import { isNew } from '../../platform/store/writes/conditions.ts'
import type { FileDependencies } from './check-upload.ts'
import { safeFileName } from './file-name.ts'
import { fileItem, filePath } from './file-row.ts'
import { urlSeconds } from './open-download.ts'
import type { NewFile, Upload } from './schema.ts'

/** A file that nothing claims is removed after this time. */
export const unclaimedMs = 24 * 3_600_000

/** Reserves a path and answers a signed URL for the upload. A record may use the path once the content is uploaded. */
export async function beginUpload(
  { store, clock, objects }: FileDependencies,
  { tenant, userId }: Caller,
  given: NewFile,
): Promise<Upload> {
  const token = clock.bytes(18).toString('base64url')
  const name = safeFileName(given.name)
  const path = filePath(tenant, token, name)
  const now = clock.now()
  const file = { token, path, name, contentType: given.content_type, size: given.size, uploadedBy: userId }
  const { uploadUrl } = await objects()
  const [url] = await Promise.all([
    uploadUrl(path, file.contentType, file.size, urlSeconds),
    store.write(tenant, {
      put: fileItem(tenant, file, { createdAt: isoTime(now), dueAt: isoTime(now + unclaimedMs) }),
      if: isNew,
    }),
  ])
  return {
    path,
    upload: {
      url,
      method: 'PUT',
      headers: { 'content-type': file.contentType, 'if-none-match': '*' },
      expires_at: isoTime(now + urlSeconds * 1000),
    },
  }
}
