import type { Scalar } from '../../columns/scalar.ts'
import type { Kind } from './kind.ts'
import { text } from './text.ts'

/** Texts that end in a number, which orders them: `INC-999999` comes before `INC-1000000`. */
export const numbered: Kind = {
  ...text,
  compare: (a, b) => numberIn(a) - numberIn(b),
  numbers: { vector: 'number', of: numberIn },
}

function numberIn(value: Scalar): number {
  const whole = String(value)
  let start = whole.length
  while (start > 0 && isDigit(whole.charCodeAt(start - 1))) start -= 1
  return Number(whole.slice(start))
}

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57
