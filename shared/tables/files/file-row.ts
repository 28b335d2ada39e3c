import type { TenantRef } from '../../kernel/tenancy.ts'
import { fileDueKey, fileKey, fileTokenOf } from '../../platform/store/keys/files.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { dueEntry } from '../../platform/store/slots.ts'
import type { Item } from '../../platform/store/values/marshal.ts'

/** An uploaded file. The claims, rows in the same partition, say which records hold it. */
export interface StoredFile {
  /** The unguessable part of the path. */
  readonly token: string
  readonly path: string
  readonly name: string
  readonly contentType: string
  readonly size: number
  readonly uploadedBy: number
  /** The content was checked: complete and of its type. */
  readonly isChecked: boolean
  /** Its last claim was removed. */
  readonly isReleased: boolean
  /** The sweeper is about to remove it: it can no longer be claimed. */
  readonly isBeingRemoved: boolean
}

const pathShape = /^files\/(\d+)\/([A-Za-z0-9_-]{24})\/([^/]+)$/

/** The path of a file, which is also its key in the files bucket. */
export const filePath = (tenant: TenantRef, token: string, name: string): string =>
  `files/${tenant.id}/${token}/${name}`

/** The unguessable part of a path of this tenant; undefined for any other text. */
export function tokenOfPath(tenant: TenantRef, path: string): string | undefined {
  const match = pathShape.exec(path)
  return match && Number(match[1]) === tenant.id ? match[2] : undefined
}

/** The file at a path; undefined when the row is missing or has another name. */
export const readFileAt = (item: Item | undefined, path: string): StoredFile | undefined =>
  item?.path === path ? readFile(item) : undefined

/** Reads the row of a file. */
export const readFile = (item: Item): StoredFile => ({
  token: fileTokenOf(String(item.pk)),
  path: String(item.path),
  name: String(item.name),
  contentType: String(item.content_type),
  size: Number(item.size),
  uploadedBy: Number(item.uploaded_by),
  isChecked: item.checked_at !== undefined,
  isReleased: item.released_at !== undefined,
  isBeingRemoved: item.leaving_at !== undefined,
})

/** The row of a file before its upload. */
export const fileItem = (
  tenant: TenantRef,
  file: Pick<StoredFile, 'token' | 'path' | 'name' | 'contentType' | 'size' | 'uploadedBy'>,
  at: { readonly createdAt: string; readonly dueAt: string },
): Item & Key => ({
  ...fileKey(tenant, file.token),
  kind: 'file',
  v: 1,
  path: file.path,
  name: file.name,
  content_type: file.contentType,
  size: file.size,
  uploaded_by: file.uploadedBy,
  created_at: at.createdAt,
  ...dueEntry(fileDueKey(at.dueAt, tenant, file.token)),
})
