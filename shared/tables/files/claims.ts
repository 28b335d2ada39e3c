import { Invalid } from '../../kernel/failures/faults.ts'
import { maxFilesPerWrite } from '../../kernel/limits/records.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import type { Write } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { typeOfField } from '../field-types/read-field.ts'
import type { Table } from '../tables/table.ts'
import { claimItem, type FileHolder, releaseItem } from './claim-rows.ts'
import { tokenOfPath } from './file-row.ts'

type Data = Readonly<Record<string, unknown>>

/** How long a write may take to finish its releases before the sweeper does. */
const cleanUpMs = 60_000

/** The paths in one value of a file or image field. */
export const pathsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((path) => typeof path === 'string') : []

/** Every path that a record holds, in retired fields too, because their values stay stored. */
export function pathsOf(table: Pick<Table, 'table_fields' | 'retired'>, data: Data | undefined): Set<string> {
  const fields = [...table.table_fields, ...table.retired].filter((field) => typeOfField(field).files)
  return new Set(fields.flatMap(({ name }) => pathsIn(data?.[name])))
}

const tokensOf = (tenant: TenantRef, paths: Iterable<string>): string[] =>
  [...paths].flatMap((path) => tokenOfPath(tenant, path) ?? [])

/** What one write of a record changes about files. */
export interface FileWrites {
  /** For the record's own transaction, so that a record never holds a file without a claim. */
  readonly writes: readonly Write[]
  /** The row that lists the files this write released. Finished after the write, or by the sweeper. */
  readonly release: (Item & Key) | undefined
}

/**
 * The claims and releases of a write that changes a record's data from `before` to `after`. `version`: the version that
 * the write makes; `undefined` stands for no record. Throws Invalid when it adds more than 50 files.
 */
export function fileWrites(
  clock: Pick<Clock, 'now' | 'uuid'>,
  tenant: TenantRef,
  table: Pick<Table, 'name' | 'table_fields' | 'retired'>,
  { id, version }: { readonly id: number; readonly version: number },
  before: Data | undefined,
  after: Data | undefined,
): FileWrites {
  const [pathsBefore, pathsAfter] = [pathsOf(table, before), pathsOf(table, after)]
  const added = tokensOf(tenant, pathsAfter.difference(pathsBefore))
  if (added.length > maxFilesPerWrite) {
    const field = table.table_fields.find(({ name }) => pathsIn(after?.[name]).some((path) => !pathsBefore.has(path)))
    throw new Invalid({ [field?.name ?? 'data']: [`At most ${maxFilesPerWrite} files may be added at once.`] })
  }
  return claimWrites(clock, tenant, { model: table.name, id, version }, pathsBefore, pathsAfter)
}

/** The claims and releases of a write after which `by` holds the files `after` instead of `before`; `since` as in `FileRelease`. */
export function claimWrites(
  clock: Pick<Clock, 'now' | 'uuid'>,
  tenant: TenantRef,
  by: FileHolder,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
  since?: string,
): FileWrites {
  const added = tokensOf(tenant, after.difference(before))
  const dropped = tokensOf(tenant, before.difference(after))
  const writes: Write[] = added.map((token) => ({ put: claimItem(tenant, token, by) }))
  if (dropped.length === 0) return { writes, release: undefined }
  const dueAt = isoTime(clock.now() + cleanUpMs)
  const release = releaseItem(
    tenant,
    clock.uuid(),
    { by, tokens: dropped, ...(since !== undefined && { since }) },
    dueAt,
  )
  return { writes: [...writes, { put: release }], release }
}
