import { lowerBound } from '../../kernel/collections/lower-bound.ts'
import { maxJobErrorAnswerBytes, maxJobErrorBytes, maxJobErrors } from '../../kernel/limits/imports.ts'
import { sizeOfText } from '../http/routing/answer-size.ts'
import { packedBytes } from '../store/values/pack-json.ts'
import type { JobError } from './schema.ts'

/** The errors that a job lists, and how many it does not. */
interface ListedErrors {
  readonly errors: readonly JobError[]
  readonly unlistedErrors: number
}

/** Adds errors to those of a job, until its row or an answer has no room. The list has no gaps. */
export function listErrors({ errors, unlistedErrors }: ListedErrors, more: readonly JobError[]): ListedErrors {
  if (more.length === 0) return { errors, unlistedErrors }
  if (unlistedErrors > 0) return { errors, unlistedErrors: unlistedErrors + more.length }
  const all = [...errors, ...more].slice(0, maxJobErrors)
  const fits = hasRoomFor(all)
    ? all.length
    : lowerBound(errors.length + 1, all.length, (count) => hasRoomFor(all.slice(0, count))) - 1
  return { errors: all.slice(0, fits), unlistedErrors: errors.length + more.length - fits }
}

/** Adds why a job failed, which is always listed: first, and instead of others, where its row has no room for all. */
export function listReason(listed: ListedErrors, reason: JobError): ListedErrors {
  const all = listErrors(listed, [reason])
  if (all.unlistedErrors === 0) return all
  const { errors, unlistedErrors } = listErrors({ errors: [reason], unlistedErrors: 0 }, listed.errors)
  return { errors, unlistedErrors: unlistedErrors + listed.unlistedErrors }
}

// Many like errors hardly take room in the row, where they are compressed.
const hasRoomFor = (errors: readonly JobError[]): boolean =>
  sizeOfText(JSON.stringify(errors)).carried <= maxJobErrorAnswerBytes && packedBytes(errors) <= maxJobErrorBytes
