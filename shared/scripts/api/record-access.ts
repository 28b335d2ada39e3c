import type { RecordHead } from '../../platform/store/rows/record-row.ts'

/** A record as scripts see it: standard and custom fields side by side. */
export type FlatRecord = Readonly<Record<string, unknown>> & { readonly id: number }

export interface ScriptQuery {
  readonly filter?: unknown
  readonly sort?: unknown
  readonly limit?: number
  readonly search?: string
}

/** Which people a script looks for: those who match everything that is given; none when nothing is. */
export interface ScriptUserQuery {
  readonly id?: number | null
  readonly email?: string | null
  readonly role?: string | null
  readonly search?: string | null
}

/** A person as scripts see it. */
export interface ScriptPerson {
  readonly id: number
  readonly name: string
  readonly email: string | null
  readonly roles: readonly string[]
  readonly org_unit_ids: readonly number[]
  /** Who manages the first org unit of the person that has a manager. */
  readonly manager_id?: number
}

/**
 * What the data methods of `$api` call: records in the name of the current user, not limited by that user's
 * permissions. The caller provides it, because this slice must not import records.
 */
export interface RecordAccess {
  /** False when there is no such record. @throws NotFound when there is no such table. */
  get(model: string, id: number): Promise<FlatRecord | false>
  query(model: string, query: ScriptQuery): Promise<readonly FlatRecord[]>
  /** The record that another was merged into which has this unique value or number; false when there is none. */
  partOf(model: string, field: string, value: unknown): Promise<FlatRecord | false>
  count(model: string, filter: unknown): Promise<number>
  create(model: string, data: Readonly<Record<string, unknown>>): Promise<FlatRecord>
  update(model: string, id: number, data: Readonly<Record<string, unknown>>): Promise<FlatRecord>
  remove(model: string, id: number): Promise<void>
  /** At most 100 active people of the tenant, by name. */
  findUsers(query: ScriptUserQuery): Promise<readonly ScriptPerson[]>
  /** Answers the id of the instance. Idempotent: the same `startKey` answers the same instance. */
  startProcess(code: string, model: string, id: number, startKey: string): Promise<number>
  /** Answers how many instances received it. Idempotent: the same `sendKey` delivers once. */
  sendProcessMessage(
    name: string,
    key: string | undefined,
    variables: Readonly<Record<string, unknown>>,
    sendKey: string,
  ): Promise<number>
}

/** What `$record` says of a record. */
export type ScriptRecord = Omit<RecordHead, 'tenant_id'>

const names = [
  'id',
  'version',
  'created_by',
  'updated_by',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ScriptRecord)[]

/** `$record`: these members of a record, each null when there is none. */
export const scriptRecord = (record: Partial<ScriptRecord> | undefined): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, record?.[name] ?? null]))
