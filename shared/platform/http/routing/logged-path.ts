/** Paths that end in a secret: whoever has it may join, write into the tenant, or read a record. */
export const secretPaths = [
  '/api/join/',
  '/api/in/',
  '/api/follow/',
  '/join/',
  '/password/reset/',
  '/email/verify/',
  '/follow/',
] as const

const unreadable = '***'
const maxLoggedLength = 300

/** A path as log lines name it: without secrets, control characters and the ends of very long ones. */
export function loggedPath(rawPath: string): string {
  const known = secretPaths.find((prefix) =>
    rawPath
      .replaceAll(/\/{2,}/g, '/')
      .toLowerCase()
      .startsWith(prefix),
  )
  if (known !== undefined) return known + unreadable
  return rawPath.slice(0, maxLoggedLength).replaceAll(/\p{Cc}/gu, '?')
}
