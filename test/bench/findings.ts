import type { ImportRun } from './import-run.ts'
import type { Measured } from './measure.ts'

/** What one run of the benchmark measured. */
export interface Findings {
  readonly small: { readonly records: number; readonly measured: readonly Measured[] }
  readonly large: { readonly records: number; readonly measured: readonly Measured[] }
  readonly imported: ImportRun
}
