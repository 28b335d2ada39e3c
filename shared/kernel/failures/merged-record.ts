import { Conflict } from './faults.ts'

/** The refusal of a write to a record that was merged into another. */
export const mergedRecord = (model: string, id: number, into: number): Conflict =>
  new Conflict(
    'record_merged',
    `${model} ${id} was merged into ${model} ${into}, and is not changed any more. Use ${model} ${into}, or unmerge ${id} first.`,
    { details: { merged_into: into } },
  )
