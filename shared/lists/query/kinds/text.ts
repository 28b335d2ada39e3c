import type { Kind } from './kind.ts'

export const text: Kind = {
  parse(given, path) {
    if (typeof given !== 'string') return { error: `The ${path} must be a string.` }
    return given.isWellFormed()
      ? { value: given }
      : { error: `The ${path} holds an unpaired surrogate, which is not text.` }
  },
  isOrdered: true,
  isText: true,
  grid: { filter: 'text', holds: 'text' },
}
