/** What the address of a record says beside the record. */
export interface RecordSearch {
  /** The view in which it was opened: the next record is taken from there. */
  readonly view?: number
}

/** Reads an address; what is not understood is left out. */
export const readRecordSearch = ({ view }: Record<string, unknown>): RecordSearch =>
  typeof view === 'number' && view > 0 ? { view } : {}
