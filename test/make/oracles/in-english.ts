/** The same with each sentence as its message, as `errors` of an answer says it. */
export function inEnglish(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inEnglish)
  if (typeof value !== 'object' || value === null) return value
  if ('code' in value && 'params' in value && 'message' in value) return value.message
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inEnglish(member)]))
}
