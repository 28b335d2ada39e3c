import type { TenantRef } from '../../kernel/tenancy.ts'
import { claimPrefix, filePartition } from '../../platform/store/keys/files.ts'
import { readMergeChain } from '../../platform/store/ranges/merged-records.ts'
import { readAll } from '../../platform/store/ranges/read-all.ts'
import type { Store } from '../../platform/store/store.ts'
import type { FileDependencies } from './check-upload.ts'
import { readHolder } from './claim-rows.ts'
import { servedType } from './content-type.ts'
import { attachment } from './file-name.ts'
import { readFile, type StoredFile } from './file-row.ts'

/**
 * A file that a comment holds, of a record that lives or was merged into one that does; undefined once it was removed from the
 * comment, or the comment or its record was. `token`: the unguessable part of its path.
 */
export async function findSentFile(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  commentId: number,
  token: string,
): Promise<StoredFile | undefined> {
  const rows = await readAll(store, tenant, { pk: filePartition(tenant, token) })
  const row = rows.find(({ kind }) => kind === 'file')
  const holder = rows
    .filter(({ sk }) => String(sk).startsWith(claimPrefix))
    .map(readHolder)
    .find((one) => one.commentId === commentId)
  const file = row && readFile(row)
  if (!file || file.isBeingRemoved || !holder) return undefined
  return (await readMergeChain(store, tenant, holder)) && file
}

/** How long the signed address behind a link works: a browser opens it at once. */
const addressSeconds = 5 * 60

/** The signed address of a file. Browsers save it and never open it. */
export const addressOfSentFile = async (
  { objects }: Pick<FileDependencies, 'objects'>,
  { path, contentType, name }: StoredFile,
): Promise<string> => (await objects()).downloadUrl(path, servedType(contentType), attachment(name), addressSeconds)
