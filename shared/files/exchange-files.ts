import { isoTime } from '../kernel/clock.ts'
import { Invalid, NotFound } from '../kernel/faults.ts'
import { mayOnTable } from '../kernel/permissions.ts'
import type { Caller } from '../kernel/principal.ts'
import { isNew } from '../store/conditions.ts'
import { claimPrefix, filePartition } from '../store/keys/files.ts'
import { type FileDependencies, checkUpload } from './check-upload.ts'
import { pathsIn } from './claims.ts'
import { servedType } from './content-type.ts'
import { attachment, safeFileName } from './file-name.ts'
import { fileItem, filePath, readFileAt, tokenOfPath } from './file-row.ts'
import type { Download, NewFile, Upload } from './schema.ts'

const urlSeconds = 15 * 60
/** An upload that no record claims is removed after this time. */
const unclaimedMs = 24 * 3_600_000

/** Reserves a path and answers a signed URL for the upload. A record may use the path once the content is uploaded. */
export async function beginUpload(
  { store, clock, objects }: FileDependencies,
  { tenant, userId }: Caller,
  given: NewFile,
): Promise<Upload> {
  const token = clock.bytes(18).toString('base64url')
  const name = safeFileName(given.name)
  const path = filePath(tenant, token, name)
  const now = clock.now()
  const file = { token, path, name, contentType: given.content_type, size: given.size, uploadedBy: userId }
  const { uploadUrl } = await objects()
  const [url] = await Promise.all([
    uploadUrl(path, file.contentType, file.size, urlSeconds),
    store.write(tenant, {
      put: fileItem(tenant, file, { createdAt: isoTime(now), dueAt: isoTime(now + unclaimedMs) }),
      if: isNew,
    }),
  ])
  return {
    path,
    upload: {
      url,
      method: 'PUT',
      headers: { 'content-type': file.contentType, 'if-none-match': '*' },
      expires_at: isoTime(now + urlSeconds * 1000),
    },
  }
}

/** Reads living records as the caller may see them; undefined where there is none. */
export type FindRecords = (
  caller: Caller,
  model: string,
  ids: readonly number[],
) => Promise<readonly ({ readonly data: Readonly<Record<string, unknown>> } | undefined)[]>

/**
 * Answers a signed URL of a file, for its uploader and for callers who may read a record that holds it. For everyone
 * else, and once its last claim is gone, throws NotFound. Throws Invalid when the uploaded content is wrong.
 */
export async function openDownload(
  deps: FileDependencies,
  caller: Caller,
  path: string,
  findRecords: FindRecords,
): Promise<Download> {
  const { tenant } = caller
  const notFound = () => new NotFound('file', { path })
  const token = tokenOfPath(tenant, path)
  if (token === undefined) throw notFound()
  const rows = await deps.store.query(tenant, { pk: filePartition(tenant, token) })
  const file = readFileAt(
    rows.items.find(({ kind }) => kind === 'file'),
    path,
  )
  const claims = rows.items
    .filter(({ sk }) => String(sk).startsWith(claimPrefix))
    .map(({ model, id }) => ({ model: String(model), id: Number(id) }))
  if (!file) throw notFound()
  const isOwn = file.uploadedBy === caller.userId && (claims.length > 0 || !(file.isReleased || file.isBeingRemoved))
  if (!isOwn && !(await mayReadOne(caller, claims, path, findRecords))) throw notFound()
  const problem = await checkUpload(deps, tenant, file)
  if (problem === 'missing') throw notFound()
  if (problem) throw new Invalid({ path: [`The selected path is invalid: ${problem.text}.`] })
  const url = await (
    await deps.objects()
  ).downloadUrl(path, servedType(file.contentType), attachment(file.name), urlSeconds)
  return {
    url,
    name: file.name,
    content_type: file.contentType,
    size: file.size,
    expires_at: isoTime(deps.clock.now() + urlSeconds * 1000),
  }
}

/** A claim may outlive its record for a moment, so the record is read as well. */
async function mayReadOne(
  caller: Caller,
  claims: readonly { model: string; id: number }[],
  path: string,
  findRecords: FindRecords,
): Promise<boolean> {
  const readable = Map.groupBy(
    claims.filter(({ model }) => mayOnTable(caller, model, 'read')),
    ({ model }) => model,
  )
  for (const [model, held] of readable) {
    const records = await findRecords(
      caller,
      model,
      held.map(({ id }) => id),
    )
    if (records.some((record) => record && Object.values(record.data).some((value) => pathsIn(value).includes(path))))
      return true
  }
  return false
}
