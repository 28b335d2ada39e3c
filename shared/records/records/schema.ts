import * as z from 'zod'
import { ListedRecord } from '../../lists/query/schema.ts'

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
  conversation: ListedRecord.shape.conversation,
  data: z.record(z.string(), z.unknown()).meta({ description: 'The fields of the table.' }),
  merged_into: z
    .int()
    .optional()
    .meta({ description: 'The record that it was merged into. It stands in no list, and is not changed any more.' }),
  merged_from: z.array(z.int()).optional().meta({ description: 'The records that were merged into it.' }),
})
export type EntityRecord = z.output<typeof EntityRecord>

/** What came back with a deleted record. */
export const ReturnedWithRecord = z.object({
  comments: z.int().meta({ description: 'Comments that you may read.' }),
  watchers: z.int().meta({ description: 'People who were added as watchers.' }),
  links: z.int().meta({ description: 'Links whose other record lives.' }),
  waiting_links: z.int().meta({
    description: 'Links to records that are deleted themselves: each returns when that record does.',
  }),
  is_pending: z.boolean().meta({ description: 'More links return in the background, within minutes.' }),
})
export type ReturnedWithRecord = z.output<typeof ReturnedWithRecord>

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

const FoundRecord = z.object({
  id: z.int(),
  title: z.string().nullable().meta({ description: 'The title field of the table, if you may read it.' }),
  score: z.number().meta({ description: 'How well it matches; comparable between tables.' }),
  matched_in: z
    .array(z.string())
    .meta({ description: 'Which fields have one of the words, and `comments` or `messages` that have.' }),
  highlights: z.array(
    z.object({
      field: z.string(),
      text: z.string().meta({ description: 'A piece of the field around what was found.' }),
      marks: z.array(z.array(z.int())).meta({ description: 'From and to, of each word that was found, in `text`.' }),
    }),
  ),
})
export type FoundRecord = z.output<typeof FoundRecord>

/** What a search over all tables found in one. */
export const FoundInTable = z.object({
  model: z.string(),
  label: z.string(),
  total: z.int().nullable().meta({ description: 'How many records match, as `meta.total` of the list says.' }),
  records: z.array(FoundRecord).meta({ description: 'The best matches.' }),
  problem: z.string().nullable().meta({ description: 'Why the table could not be searched: too many matches.' }),
})
export type FoundInTable = z.output<typeof FoundInTable>
