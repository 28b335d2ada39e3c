export class NotPlain extends Error {
  override readonly name = 'NotPlain'
}

const maxDepth = 64

/**
 * Parses a text that a script has made. Parsing runs nothing of it; `__proto__` as a key is refused, for whoever copies the
 * value by assignment would set a prototype. Throws NotPlain saying what is wrong.
 */
export function parsePlainJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new NotPlain('is no JSON')
  }
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw new NotPlain(`is nested deeper than ${maxDepth} levels`)
    level = level.flatMap(children)
  }
  return value
}

function children(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (Object.hasOwn(value, '__proto__')) throw new NotPlain('holds the key __proto__')
  return Object.values(value)
}

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
