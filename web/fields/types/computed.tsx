import type { FieldModule, ValueProps } from '../field-module.ts'
import { boolean } from './boolean.tsx'
import { date, datetime } from './date.tsx'
import { number } from './number.tsx'
import { text } from './text.tsx'

/** A value that the service computes looks like one of its kind. */
function Show(props: ValueProps) {
  const { value } = props
  if (typeof value === 'boolean') return <boolean.Show {...props} />
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return <datetime.Show {...props} />
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) return <date.Show {...props} />
  return typeof value === 'number' ? <number.Show {...props} /> : <text.Show {...props} />
}

export const computed: FieldModule = {
  Show,
  operators: ['_eq', '_gte', '_lte', '_null', '_nnull'],
  FilterValue: text.Edit,
  width: 140,
}
