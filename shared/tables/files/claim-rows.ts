import type { TenantRef } from '../../kernel/tenancy.ts'
import { fileClaimKey, fileDueKey, fileReleaseKey } from '../../platform/store/keys/files.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { dueEntry } from '../../platform/store/slots.ts'
import type { Item } from '../../platform/store/values/marshal.ts'

/** What holds the files of messages that came in, in place of a table. */
export const messageHolder = 'sys_incoming_messages'

/** The version of a record, of a comment on it, or of an incoming message, that claims or releases files. */
export interface FileHolder {
  readonly model: string
  readonly id: number
  /** Set when the comment holds the file; `version` is then the comment's. */
  readonly commentId?: number
  readonly version: number
}

const holderAttributes = ({ model, id, commentId, version }: FileHolder): Item => ({
  model,
  id,
  ...(commentId !== undefined && { comment_id: commentId }),
  version,
})

/** Who holds a file or lets it go, in a claim or a release. */
export const readHolder = (item: Item): FileHolder => ({
  model: String(item.model),
  id: Number(item.id),
  ...(item.comment_id !== undefined && { commentId: Number(item.comment_id) }),
  version: Number(item.version),
})

/** The row, in the partition of the file, which says that a record holds it. */
export const claimItem = (tenant: TenantRef, token: string, holder: FileHolder): Item & Key => ({
  ...fileClaimKey(tenant, token, holder.model, holder.id, holder.commentId),
  kind: 'file-claim',
  v: 1,
  ...holderAttributes(holder),
})

/** The files that one write of a record released. */
export interface FileRelease {
  readonly by: FileHolder
  readonly tokens: readonly string[]
  /** Since when nobody could open them there (ISO), if that was before the release. */
  readonly since?: string
}

/** The row of a release. From `dueAt` on, the sweeper finishes a release that its write did not. */
export const releaseItem = (
  tenant: TenantRef,
  uuid: string,
  { by, tokens, since }: FileRelease,
  dueAt: string,
): Item & Key => ({
  ...fileReleaseKey(tenant, uuid),
  kind: 'file-release',
  v: 1,
  ...holderAttributes(by),
  tokens,
  ...(since !== undefined && { since }),
  ...dueEntry(fileDueKey(dueAt, tenant, uuid)),
})

/** Reads a release row. */
export const readRelease = (item: Item): FileRelease => ({
  by: readHolder(item),
  tokens: item.tokens as readonly string[],
  ...(item.since !== undefined && { since: String(item.since) }),
})
