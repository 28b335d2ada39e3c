import { Invalid, NotFound } from '../../kernel/failures/faults.ts'
import type { Caller } from '../../kernel/principal.ts'
import { fileKey } from '../../platform/store/keys/files.ts'
import { checkUpload, type FileDependencies } from './check-upload.ts'
import { readFileAt, type StoredFile, tokenOfPath } from './file-row.ts'

/**
 * A file that the caller uploaded, complete and of its type. Throws NotFound for files of others and those that are being
 * removed, and Invalid when the uploaded content is wrong.
 */
export async function requireOwnFile(
  files: FileDependencies,
  { tenant, userId }: Caller,
  path: string,
): Promise<Pick<StoredFile, 'path' | 'name' | 'size'>> {
  const token = tokenOfPath(tenant, path)
  const file = token === undefined ? undefined : readFileAt(await files.store.get(tenant, fileKey(tenant, token)), path)
  if (!file || file.uploadedBy !== userId || file.isBeingRemoved) throw new NotFound('file', { path })
  const problem = await checkUpload(files, tenant, file)
  if (problem === 'missing') throw new NotFound('file', { path })
  if (problem) throw new Invalid({ path: [`The selected path is invalid: ${problem.text}.`] })
  return file
}
