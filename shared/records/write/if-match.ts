import { Invalid } from '../../kernel/faults.ts'

/** Whether a version is one the caller is ready to overwrite. */
export type VersionMatch = (version: number) => boolean

export const etag = (version: number): string => `"${version}"`

/**
 * Reads an `If-Match` header: `"5"`, a list of such, or `*` for any; undefined when there is none. Weak tags never match,
 * as RFC 9110 §13.1.1 demands the strong comparison.
 */
export function readIfMatch(header: string | undefined): VersionMatch | undefined {
  if (header === undefined) return undefined
  if (header.trim() === '*') return () => true
  const tags = header.split(',').map((tag) => tag.trim())
  if (!tags.every((tag) => /^(W\/)?"[^"]*"$/.test(tag) || /^\d+$/.test(tag))) {
    throw new Invalid({ 'If-Match': ['The If-Match header must hold the ETag of the record, for example "5".'] })
  }
  return (version) => tags.includes(etag(version)) || tags.includes(String(version))
}
