/**
 * How long a `Retry-After` header asks to wait, in milliseconds from `nowMs`: seconds or an HTTP date; undefined when it
 * says nothing.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
