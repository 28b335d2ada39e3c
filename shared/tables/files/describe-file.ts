import type { TenantRef } from '../../kernel/tenancy.ts'
import { claimPrefix, fileKey, filePartition } from '../../platform/store/keys/files.ts'
import { readAll } from '../../platform/store/ranges/read-all.ts'
import type { Store } from '../../platform/store/store.ts'
import { readHolder } from './claim-rows.ts'
import { readFileAt, tokenOfPath } from './file-row.ts'
import type { AttachedFile } from './schema.ts'

/** What is known of the file at a path, with the records that hold it; undefined for any other path. */
export async function describeFile(store: Pick<Store, 'query'>, tenant: TenantRef, path: string) {
  const token = tokenOfPath(tenant, path)
  if (token === undefined) return undefined
  const items = await readAll(store, tenant, { pk: filePartition(tenant, token) })
  const file = readFileAt(
    items.find(({ kind }) => kind === 'file'),
    path,
  )
  if (!file) return undefined
  return {
    path,
    name: file.name,
    content_type: file.contentType,
    size: file.size,
    uploaded_by: file.uploadedBy,
    records: items
      .filter(({ sk }) => String(sk).startsWith(claimPrefix))
      .map(readHolder)
      .map(({ model, id, commentId }) => ({
        model,
        id,
        ...(commentId !== undefined && { comment_id: commentId }),
      })),
  }
}

/** The files at these paths, as answers show what is attached; one whose row is gone has the name in its path alone. */
export async function attachedFiles(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  paths: Iterable<string>,
): Promise<(path: string) => AttachedFile> {
  const tokens = new Map([...new Set(paths)].map((path) => [path, tokenOfPath(tenant, path)]))
  const known = [...tokens].flatMap(([path, token]) => (token === undefined ? [] : [{ path, token }]))
  const items = await store.getMany(
    tenant,
    known.map(({ token }) => fileKey(tenant, token)),
  )
  const files = new Map(known.map(({ path }, index) => [path, readFileAt(items[index], path)]))
  return (path) => {
    const file = files.get(path)
    return {
      path,
      name: file?.name ?? path.slice(path.lastIndexOf('/') + 1),
      content_type: file?.contentType ?? 'application/octet-stream',
      size: file?.size ?? 0,
    }
  }
}
