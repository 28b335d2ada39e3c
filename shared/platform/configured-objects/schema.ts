import * as z from 'zod'

const Moment = z.string().meta({ format: 'date-time' })

/** What every answer of a configured object has besides what administrators set, and its id. */
export const stamps = {
  created_at: Moment,
  updated_at: Moment,
  version: z.int().meta({ description: 'Every change raises it by one; the `ETag` of the object.' }),
}

/**
 * Accepted in bodies, so that an object that was read can be sent back; a new one gets its own. `version`, when given, must be
 * the current one.
 */
export const readOnly = {
  id: z.int().optional().meta({ description: 'Read only.' }),
  created_at: z.string().optional().meta({ description: 'Read only.' }),
  updated_at: z.string().optional().meta({ description: 'Read only.' }),
  version: z.int().optional().meta({ description: 'When given, it must be the current one (412).' }),
}

/** The names of `readOnly`, for `omit`: a document of configuration has none of them. */
export const readOnlyNames = { id: true, created_at: true, updated_at: true, version: true } as const

/** The times of an object in an example. */
export const exampleTimes = { created_at: '2026-11-20T07:17:00.000Z', updated_at: '2026-11-20T07:17:00.000Z' } as const
