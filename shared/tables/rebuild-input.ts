import * as z from 'zod'

/** The kind of job that brings the records of a table into step with its configuration. */
export const rebuildKind = 'rebuild'

export const RebuildInput = z.object({ model: z.string() })
export type RebuildInput = z.output<typeof RebuildInput>
