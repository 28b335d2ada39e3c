import type { FieldErrors } from '../../kernel/failures/faults.ts'
import { mayFail } from '../../kernel/runtime/log.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Table } from '../tables/service.ts'
import { checkFiles } from './check-files.ts'
import type { FileDependencies } from './check-upload.ts'
import { fileWrites, type FileWrites } from './claims.ts'
import { releaseFiles } from './release-files.ts'

export { attachedFiles } from './attached-files.ts'
export { beginUpload } from './begin-upload.ts'
export type { FileDependencies } from './check-upload.ts'
export { messageHolder } from './claim-rows.ts'
export { claimWrites, fileWrites, type FileWrites, pathsIn } from './claims.ts'
export { checkFiles } from './check-files.ts'
export { releaseFiles } from './release-files.ts'
export { describeFile } from './describe-file.ts'
export { requireOwnFile } from './own-file.ts'
export { type MayReadComment, type MayReadMessage, openDownload } from './open-download.ts'
export { type FileStorage, type KeptFile, storeFile } from './store-file.ts'
export { sweepFiles } from './sweep-files.ts'

export type Files = ReturnType<typeof createFiles>
type Data = Readonly<Record<string, unknown>>

/** The files of records: checks what a record may hold, and writes its claims and releases. */
export function createFiles(files: FileDependencies) {
  /** Finishes the release of a stored write. When that fails, the sweeper finishes it. */
  async function cleanUp(tenant: TenantRef, { release }: FileWrites): Promise<void> {
    if (release) await mayFail('release files', () => releaseFiles(files, tenant, release))
  }

  return {
    check: (tenant: TenantRef, table: Table, data: Data, fields: readonly string[]): Promise<FieldErrors> =>
      checkFiles(files, tenant, table, data, fields),
    writes: (
      tenant: TenantRef,
      table: Table,
      record: { readonly id: number; readonly version: number },
      before: Data | undefined,
      after: Data | undefined,
    ): FileWrites => fileWrites(files.clock, tenant, table, record, before, after),
    cleanUp,
  }
}
