import * as z from 'zod'
import { CancelledProcess, StartableProcess } from '../../automation/processes/schema.ts'
import { maxSplitParts } from '../../kernel/limits/comments.ts'
import { maxBulkIds, maxBulkRecords, maxListedOfBatch } from '../../kernel/limits/imports.ts'
import { rowListQuery } from '../../platform/http/paging/page-query.ts'
import { ReturnedWithRecord } from '../../records/records/schema.ts'

export const batchKinds = ['bulk', 'import', 'merge', 'undo'] as const
export type BatchKind = (typeof batchKinds)[number]
export const batchStatuses = ['running', 'done', 'failed'] as const
export type BatchStatus = (typeof batchStatuses)[number]

const dryRun = z.boolean().optional().meta({ description: 'Says what would happen, and writes nothing.' })

export const BulkBody = z.strictObject({
  ids: z
    .array(z.int().min(1))
    .min(1)
    .max(maxBulkIds)
    .optional()
    .meta({ description: `The records, at most ${maxBulkIds}; one that is named twice counts once.` }),
  filter: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({
      description: `Or those that match, in the grammar of lists, at most ${maxBulkRecords}; \`{}\` for all that you may read.`,
    }),
  view: z.int().min(1).optional().meta({ description: 'Or those of a view: its filter and search.' }),
  set: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'Fields and values, as for updating one record.' }),
  delete: z.literal(true).optional().meta({ description: 'Or: deletes the records.' }),
  macro: z.int().min(1).optional().meta({ description: 'Or: runs the macro with this id on each.' }),
  dry_run: dryRun,
  expect: z
    .int()
    .min(0)
    .optional()
    .meta({ description: 'How many records have to match; with another number nothing is done (409).' }),
})
export type BulkBody = z.output<typeof BulkBody>

/** A record that was not changed, and why. */
export const RecordFailure = z.object({
  id: z.int(),
  model: z.string().optional().meta({ description: 'The table, when it is not that of the batch.' }),
  message: z.string(),
  errors: z
    .record(z.string(), z.array(z.string()))
    .nullable()
    .meta({ description: 'Field name to what is wrong with it; null when it is not about fields.' }),
})
export type RecordFailure = z.output<typeof RecordFailure>

/** What an undo left alone. */
export const Kept = z.object({
  id: z.int(),
  model: z.string().optional().meta({ description: 'The table, when it is not that of the batch.' }),
  fields: z.array(z.string()).meta({ description: 'The fields that changed since; none: the record as a whole.' }),
  by: z.int().nullable().meta({ description: 'Id of the user who changed them last; null: the service.' }),
})
export type Kept = z.output<typeof Kept>

const model = z.string().optional().meta({ description: 'The table, when it is not that of the batch.' })

const BatchCancelled = CancelledProcess.extend({ model })
export type BatchCancelled = z.output<typeof BatchCancelled>

/** A deleted record that an undo brings back, if something comes with it, or does not. */
export const ReturnedRecord = ReturnedWithRecord.extend({
  id: z.int(),
  model,
  missing_files: z.array(z.string()).meta({ description: 'Paths of files that no longer exist.' }),
  cancelled_processes: z.array(StartableProcess).meta({
    description:
      'The processes that the delete cancelled, and that stay so, each with the request that starts it again.',
  }),
})
export type ReturnedRecord = z.output<typeof ReturnedRecord>

const counts = {
  matched: z.int().meta({ description: 'The records that it is about.' }),
  changed: z.int(),
  unchanged: z.int().meta({ description: 'Records that were already as they should become.' }),
  failed: z.int(),
}
const listed = `at most ${maxListedOfBatch} are listed.`
const told = {
  cancelled_processes: z
    .array(BatchCancelled)
    .optional()
    .meta({ description: `The processes that end with records that go; left out when there are none; ${listed}` }),
}
const returned = z
  .array(ReturnedRecord)
  .optional()
  .meta({
    description: `Deleted records with which comments, watchers, links and the like return, or fail to; left out when there are none; ${listed}`,
  })

export const BulkAnswer = z.object({
  batch_id: z.int().nullable().meta({ description: 'Null of a dry run.' }),
  ...counts,
  errors: z.array(RecordFailure).meta({ description: `The records that failed; ${listed}` }),
  ...told,
})
export type BulkAnswer = z.output<typeof BulkAnswer>

export const UndoAnswer = BulkAnswer.extend({
  kept: z.array(Kept).meta({ description: `What was changed since and is left alone; ${listed}` }),
  returned,
})
export type UndoAnswer = z.output<typeof UndoAnswer>

const moved = (what: string) => z.int().meta({ description: what })

/** What a merge moves and fills. */
export const ToldOfMerge = z.object({
  moves: z.object({
    comments: moved('Comments that you may see.'),
    messages: moved('Messages that came in; at most 1,000 are counted.'),
    watchers: moved('People who watch it.'),
    links: moved('Links of relations; at most 1,000 of each are counted.'),
    references: moved('Records whose fields refer to it; at most 1,000 of each field are counted.'),
    files: moved('Files in its fields that the other record takes on.'),
  }),
  filled: z.array(z.string()).meta({ description: 'Fields of the other record that get a value.' }),
  not_filled: z.array(z.string()).meta({
    description:
      'Empty fields of the other record that stay empty: unique values stay with the merged record, and so does what refers to something that is gone, or that you may not write.',
  }),
  cancelled_processes: z.array(z.int()).meta({ description: 'Instances about the merged record, which end.' }),
})
export type ToldOfMerge = z.output<typeof ToldOfMerge>

export const MergeBody = z.strictObject({
  into: z.int().min(1).meta({ description: 'The record of the same table that it becomes part of.' }),
  dry_run: dryRun,
})
export type MergeBody = z.output<typeof MergeBody>

export const MergeAnswer = BulkAnswer.extend({
  id: z.int(),
  merged_into: z.int(),
  ...ToldOfMerge.shape,
})
export type MergeAnswer = z.output<typeof MergeAnswer>

const parts = (what: string) => z.array(z.int().min(1)).min(1).max(maxSplitParts).optional().meta({ description: what })

export const SplitBody = z.strictObject({
  comment_ids: parts(
    `Comments that leave for the new record, at most ${maxSplitParts}; the message that one came in as follows.`,
  ),
  message_ids: parts(`Or messages, at most ${maxSplitParts}; the comments that they became follow.`),
  data: z.record(z.string(), z.unknown()).meta({ description: 'The fields of the new record, as for creating one.' }),
})
export type SplitBody = z.output<typeof SplitBody>

export const BatchAccepted = z.object({
  job_id: z.int().meta({ description: 'The job that continues it; its `result` is the answer.' }),
  batch_id: z.int().nullable(),
  matched: z.int(),
})

/** In the body or the query. */
export const UndoBody = z.strictObject({ dry_run: dryRun }).optional()

export const BatchHead = z.object({
  id: z.int(),
  kind: z.enum(batchKinds),
  model: z.string(),
  status: z.enum(batchStatuses),
  ...counts,
  kept: z.int().meta({ description: 'Of an undo: records of which something was left alone.' }),
  created_by: z.int(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  job_id: z.int().nullable().meta({ description: 'The job that works on it while it runs.' }),
  undoes: z.int().nullable().meta({ description: 'The batch that it undoes.' }),
  undone_by: z.int().nullable().meta({ description: 'The last undo of it.' }),
  problem: z.string().nullable().meta({ description: 'Why it failed as a whole.' }),
})
export type BatchHead = z.output<typeof BatchHead>

export const BatchAnswer = BatchHead.omit({ kept: true }).extend({
  errors: z.array(RecordFailure).meta({ description: `The records that failed; ${listed}` }),
  kept: z.array(Kept).meta({ description: `What an undo left alone; ${listed}` }),
  ...told,
  returned,
})
export type BatchAnswer = z.output<typeof BatchAnswer>

export const BatchQuery = rowListQuery('kind and table')
export type BatchQuery = z.output<typeof BatchQuery>
