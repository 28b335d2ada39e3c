import type { FieldErrors } from '../../kernel/failures/faults.ts'
import { mayFail } from '../../kernel/runtime/log.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Table } from '../tables/table.ts'
import { checkFiles } from './check-files.ts'
import type { FileDependencies } from './check-upload.ts'
import { fileWrites, type FileWrites } from './claims.ts'
import { releaseFiles } from './release-files.ts'

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
