/** A record as scripts see it: standard and custom fields side by side. */
export type FlatRecord = Readonly<Record<string, unknown>> & { readonly id: number }

export interface ScriptQuery {
  readonly filter?: unknown
  readonly sort?: unknown
  readonly limit?: number
  readonly search?: string
}

/**
 * What the data methods of `$api` work on: the entity service as the current user, not limited by that user's permissions.
 * Handed in by it, so that scripts know nothing of what is above them.
 */
export interface RecordAccess {
  /** Throws NotFound for a table that does not exist; false when there is no such record. */
  get(model: string, id: number): Promise<FlatRecord | false>
  query(model: string, query: ScriptQuery): Promise<readonly FlatRecord[]>
  count(model: string, filter: unknown): Promise<number>
  create(model: string, data: Readonly<Record<string, unknown>>): Promise<FlatRecord>
  update(model: string, id: number, data: Readonly<Record<string, unknown>>): Promise<FlatRecord>
  remove(model: string, id: number): Promise<void>
  /** Answers the id of the instance; with the same `once` again, that of the first time. */
  startProcess(code: string, model: string, id: number, startKey: string): Promise<number>
}
