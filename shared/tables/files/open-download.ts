import { Invalid, NotFound } from '../../kernel/failures/faults.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import { claimPrefix, filePartition } from '../../platform/store/keys/files.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import { livingAttributes } from '../../platform/store/rows/record-row.ts'
import { checkUpload, type FileDependencies } from './check-upload.ts'
import { type FileHolder, messageHolder, readHolder } from './claim-rows.ts'
import { pathsIn } from './claims.ts'
import { servedType } from './content-type.ts'
import { attachment } from './file-name.ts'
import { readFileAt, tokenOfPath } from './file-row.ts'
import type { Download } from './schema.ts'

/** Reads living records as the caller may see them; undefined where there is none. */
export type FindRecords = (
  caller: Caller,
  model: string,
  ids: readonly number[],
) => Promise<readonly ({ readonly data: Readonly<Record<string, unknown>> } | undefined)[]>

/** Whether the caller may see a comment that holds the file at `path`. */
export type MayReadComment = (
  caller: Caller,
  holder: { readonly model: string; readonly id: number; readonly commentId: number },
  path: string,
) => Promise<boolean>

/** Whether the caller may read an incoming message that holds the file at `path`. */
export type MayReadMessage = (caller: Caller, messageId: number, path: string) => Promise<boolean>

/** What decides who may read the holders of a file. */
export interface HolderReaders {
  readonly findRecords: FindRecords
  readonly mayReadComment: MayReadComment
  readonly mayReadMessage: MayReadMessage
}

/**
 * Answers a signed URL of a file, for its uploader and for callers who may read a record, comment or message that holds it. For everyone
 * else, and once its last claim is gone, throws NotFound. Throws Invalid when the uploaded content is wrong.
 */
export async function openDownload(
  files: FileDependencies,
  caller: Caller,
  path: string,
  readers: HolderReaders,
): Promise<Download> {
  const { tenant } = caller
  const notFound = () => new NotFound('file', { path })
  const token = tokenOfPath(tenant, path)
  if (token === undefined) throw notFound()
  const rows = await files.store.query(tenant, { pk: filePartition(tenant, token) })
  const file = readFileAt(
    rows.items.find(({ kind }) => kind === 'file'),
    path,
  )
  const claims = rows.items.filter(({ sk }) => String(sk).startsWith(claimPrefix)).map(readHolder)
  if (!file) throw notFound()
  const isOwn =
    file.uploadedBy === caller.userId &&
    (claims.length === 0 ? !(file.isReleased || file.isBeingRemoved) : await isHeld(files.store, tenant, claims))
  if (!isOwn && !(await mayReadOne(caller, claims, path, readers))) throw notFound()
  const problem = await checkUpload(files, tenant, file)
  if (problem === 'missing') throw notFound()
  if (problem) throw new Invalid({ path: [`The selected path is invalid: ${problem.text}.`] })
  const url = await (
    await files.objects()
  ).downloadUrl(path, servedType(file.contentType), attachment(file.name), urlSeconds)
  return {
    url,
    name: file.name,
    content_type: file.contentType,
    size: file.size,
    expires_at: isoTime(files.clock.now() + urlSeconds * 1000),
  }
}

/** Whether a file has a holder that is not away with a deleted record, whose comments keep their files for its return. */
async function isHeld(
  store: FileDependencies['store'],
  tenant: TenantRef,
  claims: readonly FileHolder[],
): Promise<boolean> {
  if (claims.some(({ commentId }) => commentId === undefined)) return true
  const keys = new Map(claims.map(({ model, id }) => [`${model} ${id}`, recordKey(tenant, model, id)]))
  const records = await store.getMany(tenant, [...keys.values()], livingAttributes)
  return records.some((record) => record && record.deleted_at === undefined)
}

/** A claim may outlive its record for a moment, so the record is read as well. */
async function mayReadOne(
  caller: Caller,
  holders: readonly FileHolder[],
  path: string,
  { findRecords, mayReadComment, mayReadMessage }: HolderReaders,
): Promise<boolean> {
  const claims = holders.filter(({ model }) => model !== messageHolder && mayOnTable(caller, model, 'read'))
  const readable = Map.groupBy(
    claims.filter(({ commentId }) => commentId === undefined),
    ({ model }) => model,
  )
  for (const [model, claimsOnTable] of readable) {
    const records = await findRecords(
      caller,
      model,
      claimsOnTable.map(({ id }) => id),
    )
    if (records.some((record) => record && Object.values(record.data).some((value) => pathsIn(value).includes(path))))
      return true
  }
  for (const { model, id, commentId } of claims)
    if (commentId !== undefined && (await mayReadComment(caller, { model, id, commentId }, path))) return true
  for (const { model, id } of holders)
    if (model === messageHolder && (await mayReadMessage(caller, id, path))) return true
  return false
}

/** How long the signed URL of an upload or a download is valid. */
export const urlSeconds = 15 * 60
