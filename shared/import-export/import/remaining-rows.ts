import type { TenantRef } from '../../kernel/tenancy.ts'
import { gunzipJson, gzipJson } from '../../store/pack-json.ts'

/** Where rows wait that no request has time for: an object, for they may be 4 MB. */
export interface ImportObjects {
  putObject(key: string, body: Uint8Array): Promise<void>
  fetchObject(key: string): Promise<Uint8Array>
}

interface Rest {
  /** The number of the first of the rows. */
  readonly offset: number
  readonly rows: readonly unknown[]
}

export const restObject = (tenant: TenantRef, uuid: string): string => `imports/${tenant.id}/${uuid}.json.gz`

export const putRest = (objects: ImportObjects, key: string, rest: Rest): Promise<void> =>
  objects.putObject(key, gzipJson(rest))

export const fetchRest = async (objects: ImportObjects, key: string): Promise<Rest> =>
  gunzipJson<Rest>(await objects.fetchObject(key))
