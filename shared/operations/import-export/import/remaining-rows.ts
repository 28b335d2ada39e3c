import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { gunzipJson, gzipJson } from '../../../platform/store/values/pack-json.ts'

/** Stores the rows that a job imports later as an object: they may be 4 MB. */
export interface ImportObjects {
  putObject(key: string, body: Uint8Array): Promise<void>
  fetchObject(key: string): Promise<Uint8Array>
}

export interface RemainingRows {
  /** The number of the first row. */
  readonly offset: number
  readonly rows: readonly unknown[]
  /** Rows whose key an earlier row has, and which. */
  readonly repeated?: readonly (readonly [number, number])[]
  /** Rows of a workbook with cells that hold no value, and their fields with why. */
  readonly unreadable?: readonly (readonly [number, FieldErrors])[]
}

export const remainingRowsObject = (tenant: TenantRef, uuid: string): string => `imports/${tenant.id}/${uuid}.json.gz`

export const putRemainingRows = (objects: ImportObjects, key: string, rest: RemainingRows): Promise<void> =>
  objects.putObject(key, gzipJson(rest))

export const fetchRemainingRows = async (objects: ImportObjects, key: string): Promise<RemainingRows> =>
  gunzipJson<RemainingRows>(await objects.fetchObject(key))
