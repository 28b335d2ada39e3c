import { describe, expect, it } from 'vitest'
import type { Choice } from '../../../../../shared/tables/field-types/declaration.ts'
import { typeOfField } from '../../../../../shared/tables/field-types/read-field.ts'
import { inEnglish } from '../../../../make/oracles/in-english.ts'

// Labels were changed after a while, and slugs stay.
const options: Choice[] = [
  { slug: 'open', label: 'In progress' },
  { slug: 'new', label: 'Open' },
  { slug: 'Done', label: 'Closed' },
  { slug: 'gone', label: 'closed' },
]
const field = { name: 'status', label: 'Status', type: 'value_list' as const, options }
const type = typeOfField(field)
const readIn = (text: string): unknown => {
  const checked = type.check(field, type.readCell(field, text))
  return 'value' in checked ? checked.value : inEnglish(checked.error)
}

describe('an option in a file', () => {
  it.each([
    // An exact label, an exact slug, and either in any case.
    ['Open', 'new'],
    ['In progress', 'open'],
    ['open', 'open'],
    ['gone', 'gone'],
    [' IN PROGRESS ', 'open'],
    ['done', 'Done'],
    ['closed', 'gone'],
    ['Closed', 'Done'],
  ])('%s is %s', (text, slug) => {
    expect(readIn(text)).toBe(slug)
  })

  it.each(['OPEN', 'CLOSED'])('%s, which two are called, names both', (text) => {
    const both = text === 'OPEN' ? 'open or new' : 'Done or gone'
    expect(readIn(text)).toBe(`The selected status is invalid: ${text} may be ${both}. Write the one that is meant.`)
  })

  it('is one of several, too', () => {
    const several = { ...field, type: 'multi_value_list' as const }
    expect(typeOfField(several).readCell(several, 'Open;In progress')).toEqual(['new', 'open'])
  })
})
