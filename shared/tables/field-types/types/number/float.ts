import { numberType } from './number-type.ts'

export const float = numberType('A number.', 'number', () => undefined)
