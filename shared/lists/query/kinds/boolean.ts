import type { Kind } from './kind.ts'

export const boolean: Kind = {
  parse: (given, path) =>
    typeof given === 'boolean' ? { value: given } : { error: `The ${path} must be true or false.` },
  isOrdered: true,
  grid: {
    filter: 'boolean',
    holds: 'true or false',
    readKey: (key) => (key === 'true' || key === 'false' ? key === 'true' : key),
  },
}
