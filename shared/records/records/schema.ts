import * as z from 'zod'

export { RecordForm } from './form/schema.ts'

/** A record as every route answers it: standard fields, and custom fields in `data`. */
export const EntityRecord = z.object({
  id: z.int(),
  tenant_id: z.int(),
  created_by: z.int(),
  updated_by: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int().meta({ description: 'Rises by one with every change; the ETag of the record.' }),
  data: z.record(z.string(), z.unknown()).meta({ description: 'The fields of the table.' }),
  merged_into: z
    .int()
    .optional()
    .meta({ description: 'The record that it was merged into. It stands in no list, and is not changed any more.' }),
  merged_from: z.array(z.int()).optional().meta({ description: 'The records that were merged into it.' }),
})
export type EntityRecord = z.output<typeof EntityRecord>

/** Field name to value. Standard fields are accepted, as in a record that was read, and ignored. */
export const RecordBody = z.record(z.string(), z.unknown())

/** Standard fields: callers never set them, and no custom field has such a name. */
export const standardFields: ReadonlySet<string> = new Set([
  'id',
  'tenant_id',
  'created_by',
  'updated_by',
  'created_at',
  'updated_at',
  'version',
])
