import { say } from '../../../../kernel/failures/sentence.ts'
import { numberType } from './number-type.ts'

export const integer = numberType('A whole number.', 'integer', (name, value) => {
  if (!Number.isInteger(value)) return say('not_integer', { field: name })
  return Number.isSafeInteger(value)
    ? undefined
    : say('out_of_range', { field: name, min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
})
