import { checkValue, objectText } from '../../../tables/field-types/read-field.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Kind } from './kind.ts'

export const point: Kind = {
  parse(given, path, _, { definition }) {
    const checked = checkValue(definition as Field, given)
    return 'error' in checked
      ? { error: `The ${path} must be an object with numeric lat and lng.` }
      : { value: objectText(checked.value as object) as string }
  },
  isOrdered: false,
  grid: { holds: 'points' },
}
