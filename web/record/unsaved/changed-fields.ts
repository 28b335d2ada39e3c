import type { RecordData } from '../../api/records.ts'

/** Whether two values of a field are the same; empty is empty, left out or null. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** The names of the fields whose values differ. */
export const changedFields = (before: RecordData, after: RecordData): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !isSame(before[name], after[name]))
