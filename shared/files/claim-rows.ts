import type { TenantRef } from '../kernel/tenancy.ts'
import { fileClaimKey, fileDueKey, fileReleaseKey } from '../store/keys/files.ts'
import type { Key } from '../store/keys/key.ts'
import type { Item } from '../store/marshal.ts'
import { dueEntry } from '../store/slots.ts'

/** A version of a record that takes files, or lets them go. */
export interface FileHolder {
  readonly model: string
  readonly id: number
  readonly version: number
}

/** The row beside a file's that says which record holds it. */
export const claimItem = (tenant: TenantRef, token: string, { model, id, version }: FileHolder): Item & Key => ({
  ...fileClaimKey(tenant, token, model, id),
  kind: 'file-claim',
  v: 1,
  model,
  id,
  version,
})

/** What one write of a record let go. */
export interface FileRelease {
  readonly by: FileHolder
  readonly tokens: readonly string[]
}

/** The row of a release; `dueAt` is when the sweeper works it off, should the write not have done so. */
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

export const readRelease = (item: Item): FileRelease => ({
  by: { model: String(item.model), id: Number(item.id), version: Number(item.version) },
  tokens: item.tokens as readonly string[],
})
