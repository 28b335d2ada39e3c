import * as z from 'zod'

/** The kind of job that applies a table's configuration to its records. */
export const rebuildKind = 'rebuild'

export const RebuildInput = z.object({ model: z.string() })
export type RebuildInput = z.output<typeof RebuildInput>
