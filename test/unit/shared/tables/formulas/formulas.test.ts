import { describe, expect, it } from 'vitest'
import { typeOfField } from '../../../../../shared/tables/field-types/read-field.ts'
import type { Field } from '../../../../../shared/tables/field-types/schema.ts'
import { checkFormulas } from '../../../../../shared/tables/formulas/check-formulas.ts'
import { withComputed } from '../../../../../shared/tables/formulas/service.ts'
import { countCalls } from '../../../../make/count-calls.ts'
import { processorMs } from '../../../../make/processor-time.ts'

const base = [
  { name: 'price', type: 'float' },
  { name: 'quantity', type: 'integer' },
  { name: 'title', type: 'text' },
  { name: 'due', type: 'date' },
  { name: 'sent', type: 'datetime' },
  { name: 'paid', type: 'boolean' },
  { name: 'place', type: 'point' },
] as Field[]

const computed = (formula: string, result: string, name = 'value'): Field =>
  ({ name, type: 'computed', formula, result }) as Field

const tableOf = (...fields: readonly Field[]) => {
  const table_fields = [...base, ...fields]
  return { table_fields, fieldsByName: new Map(table_fields.map((field) => [field.name, field])) }
}

function errorsOf(...fields: readonly Field[]): Record<string, string> {
  const errors: Record<string, string> = {}
  checkFormulas(tableOf(...fields).table_fields, (path, message) => {
    errors[path] = message
  })
  return errors
}

const problemOf = (formula: string): string | undefined =>
  errorsOf(computed(formula, 'float'))['table_fields.7.formula']

const valueOf = async (formula: string, result: string, data: Record<string, unknown>): Promise<unknown> =>
  ((await withComputed(tableOf(computed(formula, result)), data)) as { value?: unknown }).value

describe('a formula', () => {
  it.each([
    ['price * quantity', 'float', { price: 2.5, quantity: 3 }, 7.5],
    ['0.1 + 0.2', 'float', {}, 0.3],
    ['price / quantity', 'float', { price: 1, quantity: 0 }, undefined],
    ['price * quantity', 'float', { price: 1 }, undefined],
    ['if price = null then 0 else price', 'float', {}, 0],
    ['upper case(title) + "!"', 'text', { title: 'ab' }, 'AB!'],
    ['string join([title, string(quantity)], " #")', 'text', { title: 'No', quantity: 7 }, 'No #7'],
    ['due + duration("P14D")', 'date', { due: '2026-02-20' }, '2026-03-06'],
    ['sent + duration("PT2H")', 'datetime', { sent: '2026-02-20T23:00:00.000Z' }, '2026-02-21T01:00:00.000Z'],
    ['(date("2026-03-01") - due).days', 'integer', { due: '2026-02-20' }, 9],
    ['paid and price > 10', 'boolean', { paid: true, price: 11 }, true],
    ['quantity in [1..5]', 'boolean', { quantity: 5 }, true],
    ['quantity between 1 and 4', 'boolean', { quantity: 5 }, false],
    ['place.lat', 'float', { place: { lat: 48.2, lng: 16.3 } }, 48.2],
    ['price', 'integer', { price: 1.5 }, undefined],
    ['title', 'float', { title: 'x' }, undefined],
    ['2 ** 10000', 'float', {}, undefined],
    ['-price', 'float', { price: 0 }, 0],
  ])('%s as %s of %j is %j', async (formula, result, data, value) =>
    expect(await valueOf(formula, result, data)).toBe(value),
  )

  it.each([
    ['price *', /cannot be read at line 1, column 8: something is missing at its end/],
    ['price +\n) 2', /cannot be read at line 2, column 1/],
    ['pric * 2', /no field pric at line 1, column 1 .*Did you mean price\?/],
    ['now()', /now\(\) at line 1, column 1 depends on the moment/],
    ['today()', /today\(\) .* depends on the moment/],
    ['for i in 1..1000000000 return i', /A for loop/],
    ['some x in [1] satisfies x > 0', /some and every/],
    ['[1, 2][item > 1]', /A filter in brackets/],
    ['(function(x) x)(1)', /A function of its own|only functions by their names/],
    ['{a: 1}.a', /A context in braces/],
    ['sum([1..1000000000])', /A range .* only available behind in/],
    ['matches(title, "(a+)+b")', /regular expression/],
    ['replace(title, "(a+)+b", "")', /regular expression/],
    ['split(title, "(a+)+b")', /regular expression/],
    ['subtring(title, 1)', /no function subtring\(\) .*Did you mean substring\?/],
    ['string join([title], string join([title, title], title))', /delimiter/],
    ['due.constructor', /There is no constructor/],
    ['constructor', /no field constructor/],
    ['__proto__', /no field __proto__/],
    ['price) + (1', /cannot be read/],
    ['1'.repeat(2001), /longer than 2000/],
    [`${'('.repeat(200)}1${')'.repeat(200)}`, /nested more than 100/],
  ])('%s is refused: %s', (formula, problem) => expect(problemOf(formula)).toMatch(problem))

  it('may use other computed fields, in any order', async () => {
    const table = tableOf(computed('net * 1.2', 'float', 'gross'), computed('price * quantity', 'float', 'net'))
    expect(await withComputed(table, { price: 10, quantity: 2 })).toMatchObject({ net: 20, gross: 24 })
  })

  it('may not go round in a circle', () =>
    expect(errorsOf(computed('b + 1', 'float', 'a'), computed('a + 1', 'float', 'b'))).toEqual({
      'table_fields.7.formula': 'The formulas go round in a circle: a uses b uses a.',
    }))

  it('clears a value that it no longer has, and adds none that it never had', async () => {
    const table = tableOf(computed('price * 2', 'float'))
    expect(await withComputed(table, { value: 4 })).toEqual({ value: null })
    expect(await withComputed(table, {})).toEqual({})
  })

  it('has no value for more text than it has time for', async () => {
    expect(await valueOf('string length(title)', 'integer', { title: 'x'.repeat(40_000) })).toBe(40_000)
    expect(await valueOf('string length(title)', 'integer', { title: 'x'.repeat(40_001) })).toBeUndefined()
    expect(await valueOf('string length(title + title)', 'integer', { title: 'x'.repeat(20_001) })).toBeUndefined()
  })

  it('takes bounded time at its worst', async () => {
    const nested = (call: string, times: number): string => `${`${call}(`.repeat(times)}title${')'.repeat(times)}`
    for (const formula of [
      nested('upper case', 45),
      `string length(${nested('lower case', 45)})`,
      `${'substring('.repeat(45)}title${', 1)'.repeat(45)}`,
      `sum([${'1,'.repeat(900)}1])`,
      `string join([${'title,'.repeat(300)}title], "${'x'.repeat(100)}")`,
      `${'1+'.repeat(99)}1`,
    ]) {
      const table = tableOf(computed(formula, 'text'))
      const data = { title: 'ß'.repeat(formula.includes('join') ? 130 : 40_000) }
      await withComputed(table, data)
      // Each call of a function is one pass over a text, of which none has more than 40,000 characters.
      const steps = await countCalls(() => withComputed(table, data))
      expect(steps, formula.slice(0, 40)).toBeGreaterThan(0)
      expect(steps, formula.slice(0, 40)).toBeLessThan(10 * formula.length + 1_000)
    }
  })

  it('is evaluated fast enough for an import', async () => {
    const table = tableOf(computed('if price > 10 then price * quantity else 0', 'float'))
    await withComputed(table, {})
    const ms = await processorMs(async () => {
      for (let n = 0; n < 1_000; n += 1) await withComputed(table, { price: n % 20, quantity: 3 })
    })
    expect(ms / 1_000).toBeLessThan(2)
  })
})

it('a derived field cannot be unique, whatever the type of its value', () => {
  for (const result of ['text', 'integer', 'date']) expect(typeOfField(computed('1', result)).mayBeUnique).toBe(false)
})
