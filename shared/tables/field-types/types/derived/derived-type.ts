import type { AnyFieldType } from '../../declaration.ts'
import { boolean } from '../boolean.ts'
import { decimal } from '../number/decimal.ts'
import { float } from '../number/float.ts'
import { integer } from '../number/integer.ts'
import { text } from '../text/text.ts'
import { date } from '../time/date.ts'
import { datetime } from '../time/datetime.ts'

/** The types that the value of a derived field may have. */
export const resultTypes = { text, integer, float, decimal, boolean, date, datetime } as const satisfies Readonly<
  Record<string, AnyFieldType>
>
export type ResultType = keyof typeof resultTypes

/** What a derived field knows by the type of its value: how it compares, how it is shown. */
type Value = Omit<AnyFieldType, 'description' | 'properties' | 'lasting' | 'mayBeUnique' | 'isTitle' | 'checkField'>

/** Nobody sends a derived value, so no form, message or template holds one; and it is not searched. */
export const derivedValue = (result: ResultType): Value => {
  const {
    description: _description,
    properties: _properties,
    lasting: _lasting,
    mayBeUnique: _mayBeUnique,
    isTitle: _isTitle,
    checkField: _checkField,
    searchWeight: _searchWeight,
    inForms: _inForms,
    readText: _readText,
    readMessage: _readMessage,
    isExampleValid: _isExampleValid,
    ...value
  } = resultTypes[result] as AnyFieldType
  return { ...value, isDerived: true }
}
