import type { FieldErrors } from '../kernel/faults.ts'
import { mayFail } from '../kernel/log.ts'
import type { Caller } from '../kernel/principal.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import type { ObjectStorage } from '../objects/object-storage.ts'
import type { Table } from '../tables/service.ts'
import { checkFiles } from './check-files.ts'
import type { FileDependencies } from './check-upload.ts'
import { fileWrites, type FileWrites } from './claims.ts'
import { beginUpload, openDownload, type FindRecords } from './exchange-files.ts'
import { releaseFiles } from './release-files.ts'
import type { Download, NewFile, Upload } from './schema.ts'
import { sweepFiles } from './sweep-files.ts'

export { fileWrites, pathsIn } from './claims.ts'

export type Files = ReturnType<typeof createFiles>
type Data = Readonly<Record<string, unknown>>

/** The files of records: uploads and downloads, what a record may hold, and when a file goes. */
export function createFiles({ store, clock }: Pick<FileDependencies, 'store' | 'clock'>) {
  let opening: Promise<ObjectStorage> | undefined
  const objects = (): Promise<ObjectStorage> =>
    (opening ??= import('../objects/object-storage.ts').then(({ openObjectStorage }) => openObjectStorage()))
  const deps: FileDependencies = { store, clock, objects }

  /** Cleans up behind a write that stands. A failure costs nothing: the sweeper finds the release row. */
  async function cleanUp(tenant: TenantRef, { release }: FileWrites): Promise<void> {
    if (release) await mayFail('release files', () => releaseFiles(deps, tenant, release))
  }

  return {
    begin: (caller: Caller, file: NewFile): Promise<Upload> => beginUpload(deps, caller, file),
    open: (caller: Caller, path: string, findRecords: FindRecords): Promise<Download> =>
      openDownload(deps, caller, path, findRecords),
    check: (tenant: TenantRef, table: Table, data: Data, fields: readonly string[]): Promise<FieldErrors> =>
      checkFiles(deps, tenant, table, data, fields),
    writes: (
      tenant: TenantRef,
      table: Table,
      record: { readonly id: number; readonly version: number },
      before: Data | undefined,
      after: Data | undefined,
    ): FileWrites => fileWrites(clock, tenant, table, record, before, after),
    cleanUp,
    sweep: (limit: number) =>
      sweepFiles({ store, clock, deleteObject: async (key) => (await objects()).deleteObject(key) }, limit),
  }
}
