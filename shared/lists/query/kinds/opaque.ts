import type { Kind } from './kind.ts'

/** Values that lists show and do not look into. */
export const opaque: Kind = {
  parse: (_, path) => ({ error: `The ${path} cannot be compared.` }),
  isOrdered: false,
  isOpaque: true,
  grid: { holds: 'JSON' },
}
