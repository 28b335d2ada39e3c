import type { RecordHead } from '../../platform/store/rows/record-row.ts'

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
