import { own } from '../../../kernel/collections/own-members.ts'
import { didYouMean } from '../../../kernel/text/did-you-mean.ts'
import type { FeelType } from '../../../tables/formulas/typed-values.ts'
import type { DmnElement } from './read-dmn.ts'

const types: Readonly<Record<string, FeelType>> = {
  any: 'any',
  string: 'string',
  number: 'number',
  integer: 'number',
  long: 'number',
  double: 'number',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'date and time',
  'date and time': 'date and time',
  daytimeduration: 'days and time duration',
  'days and time duration': 'days and time duration',
  yearmonthduration: 'years and months duration',
  'years and months duration': 'years and months duration',
}
const words = [
  'string',
  'number',
  'integer',
  'boolean',
  'date',
  'time',
  'dateTime',
  'dayTimeDuration',
  'yearMonthDuration',
  'Any',
]

export interface ReadType {
  readonly type: FeelType
  readonly isWhole?: true
  /** The allowed values of its item definition, as unary tests. */
  readonly allowed?: string
}

/** Reads types by their names: those of FEEL, those of other engines, and the item definitions of a document. */
export function openTypes({ itemDefinition = [] }: DmnElement, report: (problem: string) => void) {
  const defined = new Map(itemDefinition.flatMap((one) => (one.name === undefined ? [] : [[one.name, one]])))

  /** `where`: begins the message about an unknown type. */
  return function readType(typeRef: unknown, where: string, depth = 0): ReadType {
    // DMN 1.1 writes qualified names: feel:string.
    const name = typeof typeRef === 'string' ? typeRef.trim().replace(/^[\w.-]+:/, '') : ''
    if (name === '') return { type: 'any' }
    const item = defined.get(name)
    if (item !== undefined && depth < 10) {
      // Lists and structures are values of any kind.
      if (item.isCollection === true || (item.itemComponent ?? []).length > 0) return { type: 'any' }
      const base = readType(item.typeRef, where, depth + 1)
      return item.allowedValues?.text === undefined ? base : { ...base, allowed: item.allowedValues.text }
    }
    const type = own(types, name.toLowerCase())
    if (type === undefined)
      report(
        `${where} has the unknown type ${name}.${didYouMean(name, [...words, ...defined.keys()]) || ` There are: ${[...words, ...defined.keys()].join(', ')}.`}`,
      )
    return { type: type ?? 'any', ...(/^(?:integer|long)$/i.test(name) && { isWhole: true as const }) }
  }
}
export type ReadTypes = ReturnType<typeof openTypes>
