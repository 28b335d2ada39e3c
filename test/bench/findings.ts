import type { ImportRun } from './import-run.ts'
import type { Measured } from './measure.ts'

/** The results of one benchmark run. */
export interface Findings {
  readonly small: { readonly records: number; readonly measured: readonly Measured[] }
  readonly large: { readonly records: number; readonly measured: readonly Measured[] }
  readonly imported: ImportRun
}
