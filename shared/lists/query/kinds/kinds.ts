import type { ValueKind } from '../../../tables/field-types/declaration.ts'
import { boolean } from './boolean.ts'
import { choices } from './choices.ts'
import { decimal } from './decimal.ts'
import type { Kind } from './kind.ts'
import { date, datetime } from './moment.ts'
import { number } from './number.ts'
import { numbered } from './numbered.ts'
import { opaque } from './opaque.ts'
import { point } from './point.ts'
import { text } from './text.ts'

/** The kinds of values by the name that field types give. */
export const kinds: Readonly<Record<ValueKind, Kind>> = {
  text,
  number,
  boolean,
  date,
  datetime,
  point,
  decimal,
  numbered,
  choices,
  opaque,
}
