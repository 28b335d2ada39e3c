import { Invalid } from '../../kernel/failures/faults.ts'
import { mayFail } from '../../kernel/runtime/log.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { checkFiles } from '../../tables/files/check-files.ts'
import { claimWrites, type FileWrites } from '../../tables/files/claims.ts'
import { releaseFiles } from '../../tables/files/release-files.ts'
import type { CommentDependencies } from './dependencies.ts'
import type { Comment } from './rows/comment-row.ts'

const attachments = { fieldsByName: new Map([['attachments', { name: 'attachments', type: 'file' as const }]]) }

/** Throws Invalid when one of the paths is not an uploaded file of the tenant. */
export async function requireFiles(
  comments: CommentDependencies,
  tenant: TenantRef,
  paths: readonly string[] | undefined,
): Promise<void> {
  if (paths === undefined || paths.length === 0) return
  const errors = await checkFiles(comments, tenant, attachments, { attachments: paths }, ['attachments'])
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

/** A body that names the attachments of its comment, for those who read it elsewhere. */
export const withAttachments = (body: string, paths: readonly string[]): string =>
  paths.length === 0 ? body : `${body}\n\nAttachments: ${paths.map(fileNameOf).join(', ')}`

const fileNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The claims and releases of a write that changes a comment; undefined stands for no comment. */
export const attachmentWrites = (
  { clock }: Pick<CommentDependencies, 'clock'>,
  tenant: TenantRef,
  { model, recordId, id, version }: Pick<Comment, 'model' | 'recordId' | 'id' | 'version'>,
  before: Comment | undefined,
  after: Comment | undefined,
  since?: string,
): FileWrites =>
  claimWrites(
    clock,
    tenant,
    { model, id: recordId, commentId: id, version },
    new Set(before?.attachments),
    new Set(after?.attachments),
    since,
  )

/** Finishes the release of a stored write. When that fails, the sweeper finishes it. */
export async function letGo(
  comments: Pick<CommentDependencies, 'store' | 'clock'>,
  tenant: TenantRef,
  { release }: FileWrites,
): Promise<void> {
  if (release) await mayFail('release files', () => releaseFiles(comments, tenant, release))
}
