import { didYouMean, shown } from '../../../kernel/text/did-you-mean.ts'
import { isVariable, orgUnitsVariable, userVariable } from '../grammar/variables.ts'
import type { Kind } from './kind.ts'

export const number: Kind = {
  parse(given, path, { userId }) {
    if (given === userVariable)
      return userId === undefined
        ? { error: `The ${path} uses the current user, and this query has no user.` }
        : { value: userId }
    if (typeof given !== 'number' || !Number.isFinite(given))
      return { error: `The ${path} must be a number.${unknownVariable(given)}` }
    return { value: given === 0 ? 0 : given }
  },
  isOrdered: true,
  isAddable: true,
  numbers: { vector: 'number', of: Number },
  grid: {
    filter: 'number',
    holds: 'numbers',
    readKey: (key) => (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(key) ? Number(key) : key),
  },
}

/** What to write for a variable that does not stand for a number; empty for anything else. */
function unknownVariable(given: unknown): string {
  if (!isVariable(given)) return ''
  const known = [userVariable, orgUnitsVariable]
  return ` There is no variable ${shown(given)} for it.${didYouMean(given, known) || ` There are: ${known.join(', ')}.`}`
}
