import type { RecordData } from './record-row.ts'

/** A field whose value is the id of a record that rolls up those that refer to it. */
export interface RolledUpBy {
  readonly field: string
  readonly table: string
}

/**
 * The attribute that names the records whose rollups a write touches: those that the record refers to, and those that it
 * referred to before. Empty for a table that nobody rolls up.
 */
export function touchedRollups(
  { rolled_up_by: by }: { readonly rolled_up_by?: readonly RolledUpBy[] },
  ...versions: readonly (RecordData | undefined)[]
): { readonly touched?: string } {
  if (!by) return {}
  const touched = new Set<string>()
  for (const data of versions)
    for (const { table, field } of by) {
      const id = data?.[field]
      if (typeof id === 'number') touched.add(`${table}#${id}`)
    }
  return touched.size > 0 ? { touched: [...touched].join(' ') } : {}
}
