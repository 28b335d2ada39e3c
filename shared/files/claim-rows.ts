import type { TenantRef } from '../kernel/tenancy.ts'
import { fileClaimKey, fileDueKey, fileReleaseKey } from '../store/keys/files.ts'
import type { Key } from '../store/keys/key.ts'
import type { Item } from '../store/marshal.ts'
import { dueEntry } from '../store/slots.ts'

/** The version of a record that claims or releases files. */
export interface FileHolder {
  readonly model: string
  readonly id: number
  readonly version: number
}

/** The row, in the partition of the file, which says that a record holds it. */
export const claimItem = (tenant: TenantRef, token: string, { model, id, version }: FileHolder): Item & Key => ({
  ...fileClaimKey(tenant, token, model, id),
  kind: 'file-claim',
  v: 1,
  model,
  id,
  version,
})

/** The files that one write of a record released. */
export interface FileRelease {
  readonly by: FileHolder
  readonly tokens: readonly string[]
}

/** The row of a release. From `dueAt` on, the sweeper finishes a release that its write did not. */
export const releaseItem = (
  tenant: TenantRef,
  uuid: string,
  { by: { model, id, version }, tokens }: FileRelease,
  dueAt: string,
): Item & Key => ({
  ...fileReleaseKey(tenant, uuid),
  kind: 'file-release',
  v: 1,
  model,
  id,
  version,
  tokens,
  ...dueEntry(fileDueKey(dueAt, tenant, uuid)),
})

/** Reads a release row. */
export const readRelease = (item: Item): FileRelease => ({
  by: { model: String(item.model), id: Number(item.id), version: Number(item.version) },
  tokens: item.tokens as readonly string[],
})
