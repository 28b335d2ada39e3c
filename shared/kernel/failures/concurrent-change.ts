import { Conflict, PreconditionFailed } from './faults.ts'

/** Whether the caller agrees to overwrite this version. */
export type VersionMatch = (version: number) => boolean

/** The version that a caller has read, as its body or `If-Match` says; empty when the caller does not say. */
export interface KnownVersion {
  readonly version?: number | undefined
  readonly ifMatch?: VersionMatch | undefined
}

/**
 * Throws PreconditionFailed when a caller changes an object by another version than its current one. `what`: its name for
 * people.
 */
export function requireCurrentVersion(
  what: string,
  { version }: { readonly version: number },
  known: KnownVersion,
): void {
  const isOther = known.version !== undefined && known.version !== version
  if (isOther || known.ifMatch?.(version) === false) throw new PreconditionFailed(version, what)
}

/** The refusal of a change during which somebody else changed the same object. `what`: its name for people. */
export const changedMeanwhile = (what: string) => (): Conflict =>
  new Conflict('write_conflict', `Somebody else changed this ${what} at the same time. Read it again.`)
