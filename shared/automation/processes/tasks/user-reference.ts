/** A user as a process names them: by id, or by mail address in lower case. */
export type UserReference = number | string

/** Reads `3`, `"3"`, `user:3` or a mail address; undefined for anything else. */
export function readUserReference(value: unknown): UserReference | undefined {
  const text = String(value ?? '').trim()
  const id = readId(text)
  if (id !== undefined) return id
  return /^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(text) ? text.toLowerCase() : undefined
}

/** Reads an id from `3`, `"3"` or `user:3`; undefined for anything else. */
export function readId(value: unknown): number | undefined {
  const digits = /^(?:user:)?([1-9]\d{0,14})$/.exec(String(value ?? '').trim())?.[1]
  return digits === undefined ? undefined : Number(digits)
}
