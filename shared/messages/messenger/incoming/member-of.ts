/** The JSON of an update: nothing about its shape is known for sure. */
export type Members = Readonly<Record<string, unknown>>

/** A value as an object; undefined when it is none. */
export const asMembers = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined

/** The member of an object that is an object. */
export const memberOf = (parent: Members | undefined, name: string): Members | undefined =>
  asMembers(parent !== undefined && Object.hasOwn(parent, name) ? parent[name] : undefined)

/** The first of some members that is a text; undefined when none is, or all are empty. */
export function textOf(parent: Members | undefined, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = parent?.[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** The id of a chat, a user or a message, as text: the Bot API writes numbers, and rules compare texts. */
export function idOf(parent: Members | undefined, name = 'id'): string | undefined {
  const value = parent?.[name]
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? value : undefined
}
