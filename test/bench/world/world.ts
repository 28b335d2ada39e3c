import type { Model, ModelRow } from './model.ts'
import { mentionOf, requestRecord, type Surroundings } from './request-record.ts'

/** Somebody who is signed in. */
export interface Person {
  readonly id: number
  readonly token: string
}

/** A built table with all that its queries need to know. */
export interface World {
  readonly table: string
  /** The number of records that the import made. */
  readonly records: number
  /** The first number that the generator was called with; tables with other numbers hold other records. */
  readonly firstNumber: number
  readonly administrator: Person
  readonly surroundings: Surroundings
  /** May see every record. */
  readonly agents: readonly Person[]
  /** Each may see the records of a company and those of their own. */
  readonly desks: readonly (Person & { readonly companyId: number })[]
  /** When each call of the import began, and when the last one had ended. */
  readonly callTimes: readonly string[]
  readonly model: Model
}

/** Tells the model of the record that the generator's n-th fields made. */
export function addToModel(
  world: Pick<World, 'model' | 'surroundings'>,
  id: number,
  n: number,
  made: Pick<ModelRow, 'createdBy' | 'importCall'>,
): void {
  const { body: _, ...fields } = requestRecord(n, world.surroundings)
  world.model.set(id, { ...fields, ...made, id, mention: mentionOf(n) })
}
