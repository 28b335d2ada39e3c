import type { TenantRef } from '../../kernel/tenancy.ts'
import { fileKey } from '../../platform/store/keys/files.ts'
import type { Store } from '../../platform/store/store.ts'
import { readFileAt, tokenOfPath } from './file-row.ts'
import type { AttachedFile } from './schema.ts'

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
