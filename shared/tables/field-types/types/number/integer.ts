import { numberType } from './number-type.ts'

export const integer = numberType('A whole number.', 'integer', (name, value) => {
  if (!Number.isInteger(value)) return `The ${name} must be an integer.`
  return Number.isSafeInteger(value)
    ? undefined
    : `The ${name} must be between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}.`
})
