import { say } from '../../../../kernel/failures/sentence.ts'
import { type CheckedValue, type Choice, defineFieldType, type FieldWith } from '../../declaration.ts'
import { jsonInCell } from '../json-in-cell.ts'
import { offeredBy, slugInFile, slugOf } from './choice-type.ts'
import { checkOptions, optionProperties, valueList } from './value-list.ts'

type SeveralField = FieldWith<typeof optionProperties>

/** Stands between the slugs in a cell of a file. No slug holds it. */
const separator = ';'

export const multiValueList = defineFieldType({
  description: 'Several of the options of the field: an array of slugs, kept in the order of the options.',
  properties: optionProperties,
  mayBeUnique: false,
  check(field: SeveralField, value, held): CheckedValue {
    const { name, options = [] } = field
    const known = options.map(({ slug }) => slug)
    if (!Array.isArray(value))
      return {
        error: say('options_not_list', { field: name, allowed: offeredBy(options) }),
      }
    for (const one of value) {
      const checked = valueList.check(field, one, Array.isArray(held) && held.includes(one) ? one : undefined)
      if ('error' in checked) return checked
    }
    const chosen = new Set(value)
    return { value: known.filter((slug) => chosen.has(slug)) }
  },
  checkField: (field, at, list) => checkOptions('multi_value_list', field, at, list),
  kind: 'choices',
  choices: { word: 'option', of: ({ options = [] }) => options, several: true },
  reference: { value: { type: 'array', items: { type: 'string' } } },
  example: ({ options = [] }) => offeredBy(options).slice(0, 1),
  isExampleValid: ({ options = [] }) => options.length > 0,
  scriptType: (field) => `(${valueList.scriptType(field)})[]`,
  inForms: 'with options',
  readText: (text) => slugsIn([], text),
  readCell: ({ options = [] }, text) => slugsIn(options, text, slugInFile),
  writeCell: (_, value) => (Array.isArray(value) ? value.join(separator) : String(value)),
  readMessage: ({ options = [] }, value) =>
    Array.isArray(value) ? value.map((one) => slugOf(options, one)) : slugsIn(options, String(value)),
  inWords: (field, value) =>
    Array.isArray(value) ? value.map((one) => valueList.inWords?.(field, one, new Map())).join(', ') : undefined,
})

/** `mail;phone`, as an export writes it, or an array as JSON. Labels stand for their slugs. */
function slugsIn(
  options: readonly Choice[],
  text: string,
  slug: (options: readonly Choice[], text: string) => unknown = slugOf,
): unknown {
  const isJson = text.trimStart().startsWith('[')
  const given = isJson ? jsonInCell(text) : text.split(separator).filter((one) => one.trim() !== '')
  if (!Array.isArray(given) || (given.length === 0 && !isJson)) return text
  return given.map((one) => (typeof one === 'string' ? slug(options, one.trim()) : one))
}
