import * as z from 'zod'
import type { RemainingRows } from '../remaining-rows.ts'
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

/** With the rows that are refused whatever else they hold, as they are kept with the rows. */
export const unpackPlan = (
  stored: StoredPlan | undefined,
  { repeated = [], unreadable = [] }: Pick<RemainingRows, 'repeated' | 'unreadable'> = {},
): ImportPlan => {
  if (!stored) return createOnly
  const { mode, key, isLegacy, readsTitles = false } = stored
  return {
    mode,
    ...(key && { key }),
    isLegacy,
    readsTitles,
    repeated: new Map(repeated),
    unreadable: new Map(unreadable),
  }
}
