import type { Kind } from './kind.ts'

/** Stands between slugs, none of which holds it. */
const separator = ','

/** Several slugs of a field, in the order of its options. They sort and group as a whole. */
export const choices: Kind = {
  parse: (given, path) => (typeof given === 'string' ? { value: given } : { error: `The ${path} must be a string.` }),
  isOrdered: false,
  whole: {
    join: (values) => (values.length === 0 ? undefined : values.join(separator)),
    split: (joined) => String(joined).split(separator),
  },
  grid: { holds: 'several options', readKey: (key) => key.split(separator) },
}
