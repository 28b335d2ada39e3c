import type { TenantRef } from '../../../kernel/tenancy.ts'
import { dueKey, duePartitions, idText, type Key, singleKey, tenantPrefix } from './key.ts'

/** The partition of a file and its claims. `token` is the unguessable part of the file's path. */
export const filePartition = (tenant: TenantRef, token: string): string => `${tenantPrefix(tenant)}F#${token}`
export const fileKey = (tenant: TenantRef, token: string): Key => ({ pk: filePartition(tenant, token), sk: 'FILE' })
/** The token in a `filePartition`. */
export const fileTokenOf = (pk: string): string => pk.slice(-24)
export const claimPrefix = 'CLAIM#'
/** The claim of a record, or of a comment on it. */
export const fileClaimKey = (tenant: TenantRef, token: string, model: string, id: number, commentId?: number): Key => ({
  pk: filePartition(tenant, token),
  sk: `${claimPrefix}${model}#${idText(id)}${commentId === undefined ? '' : `#${idText(commentId)}`}`,
})
export const fileReleaseKey = (tenant: TenantRef, uuid: string): Key => singleKey(`${tenantPrefix(tenant)}FR#${uuid}`)

/** Files and releases of all tenants, by the time at which the sweeper checks them. */
export const fileDuePartitions = duePartitions('file')
export const fileDueKey = (dueAt: string, tenant: TenantRef, token: string): Key =>
  dueKey(fileDuePartitions, token.charCodeAt(0), dueAt, filePartition(tenant, token))

/** Parses the key of a file or a release; undefined for any other key. The `token` of a release is its uuid. */
export function parseFileKey(key: Key): { tenant: TenantRef; kind: 'file' | 'release'; token: string } | undefined {
  const match = /^T#(\d+)#(F|FR)#([\w-]+)$/.exec(key.pk)
  return match
    ? { tenant: { id: Number(match[1]) }, kind: match[2] === 'F' ? 'file' : 'release', token: match[3] as string }
    : undefined
}
