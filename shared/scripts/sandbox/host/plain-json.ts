import { maxScriptValueDepth } from '../../../kernel/limits/scripts.ts'

export class NotPlain extends Error {
  override readonly name = 'NotPlain'
}

/**
 * Parses JSON from a script. Refuses the key `__proto__`, which would set a prototype when the value is copied.
 * @throws NotPlain with what is wrong, to follow a subject: "is no JSON".
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
    if (depth > maxScriptValueDepth) throw new NotPlain(`is nested deeper than ${maxScriptValueDepth} levels`)
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
