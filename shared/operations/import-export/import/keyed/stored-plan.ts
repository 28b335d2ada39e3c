import * as z from 'zod'
import { createOnly, type ImportPlan } from './import-plan.ts'

/** The plan of an import in the input of its job; rows with repeated keys are kept with the rows. */
export const StoredPlan = z.object({
  mode: z.enum(['create', 'update', 'upsert']),
  key: z.object({ name: z.string(), is: z.enum(['id', 'one', 'any']) }).optional(),
  isLegacy: z.boolean(),
  readsTitles: z.literal(true).optional(),
})
type StoredPlan = z.output<typeof StoredPlan>

export const packPlan = ({ mode, key, isLegacy, readsTitles }: ImportPlan): StoredPlan => ({
  mode,
  ...(key && { key }),
  isLegacy,
  ...(readsTitles === true && { readsTitles }),
})

/** `repeated`: pairs of rows. */
export const unpackPlan = (
  stored: StoredPlan | undefined,
  repeated: readonly (readonly [number, number])[] = [],
): ImportPlan => {
  if (!stored) return createOnly
  const { mode, key, isLegacy, readsTitles = false } = stored
  return { mode, ...(key && { key }), isLegacy, readsTitles, repeated: new Map(repeated) }
}
