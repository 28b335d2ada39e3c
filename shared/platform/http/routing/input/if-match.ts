import type { VersionMatch } from '../../../../kernel/failures/concurrent-change.ts'
import { Invalid } from '../../../../kernel/failures/faults.ts'

export const etag = (version: number): string => `"${version}"`

/**
 * Parses an `If-Match` header: `"5"`, a list, or `*` for any version. Undefined when there is none; throws Invalid when
 * it is malformed. Weak tags never match (RFC 9110 §13.1.1).
 */
export function readIfMatch(header: string | undefined): VersionMatch | undefined {
  if (header === undefined) return undefined
  if (header.trim() === '*') return () => true
  const tags = header.split(',').map((tag) => tag.trim())
  if (!tags.every((tag) => /^(W\/)?"[^"]*"$/.test(tag) || /^\d+$/.test(tag))) {
    throw new Invalid({
      'If-Match': [
        'The If-Match header must hold the ETag of the object, which is its version in quotes, for example "5".',
      ],
    })
  }
  return (version) => tags.includes(etag(version)) || tags.includes(String(version))
}
