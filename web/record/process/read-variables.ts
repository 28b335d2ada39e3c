export type Variables = Readonly<Record<string, unknown>>

/** What to set and to remove, so that the variables are as they were typed; or why they cannot be read. */
export function readVariables(
  typed: string,
  before: Variables,
): { readonly set: Variables; readonly remove: readonly string[] } | { readonly problem: 'json' | 'object' } {
  let after: unknown
  try {
    after = JSON.parse(typed.trim() === '' ? '{}' : typed)
  } catch {
    return { problem: 'json' }
  }
  if (typeof after !== 'object' || after === null || Array.isArray(after)) return { problem: 'object' }
  const isSame = ([name, value]: [string, unknown]): boolean =>
    Object.hasOwn(before, name) && JSON.stringify(before[name]) === JSON.stringify(value)
  return {
    set: Object.fromEntries(Object.entries(after).filter((entry) => !isSame(entry))),
    remove: Object.keys(before).filter((name) => !Object.hasOwn(after, name)),
  }
}
