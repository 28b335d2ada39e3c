import { Conflict } from './faults.ts'

/**
 * Throws Conflict when a caller changes an object by another version than its current one. `what`: its name for people.
 * `given`: the version that the caller has read; undefined when the caller does not say.
 */
export function requireCurrentVersion(
  what: string,
  { version }: { readonly version: number },
  given: number | undefined,
): void {
  if (given !== undefined && given !== version)
    throw new Conflict('stale_version', `The ${what} has changed: its version is ${version}.`)
}

/** The refusal of a change during which somebody else changed the same object. `what`: its name for people. */
export const changedMeanwhile = (what: string) => (): Conflict =>
  new Conflict('write_conflict', `Somebody else changed this ${what} at the same time. Read it again.`)
