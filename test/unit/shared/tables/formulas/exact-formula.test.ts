import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Field } from '../../../../../shared/tables/field-types/schema.ts'
import { checkFormulas } from '../../../../../shared/tables/formulas/check-formulas.ts'
import { withComputed } from '../../../../../shared/tables/formulas/service.ts'
import { runs } from '../../../../make/depth.ts'

const base = [
  { name: 'price', type: 'decimal', scale: 4 },
  { name: 'tax', type: 'decimal' },
  { name: 'quantity', type: 'integer' },
  { name: 'kind', type: 'value_list', options: [{ slug: 'book' }] },
  { name: 'paid', type: 'boolean' },
  { name: 'weight', type: 'float' },
  { name: 'due', type: 'date' },
] as Field[]

const computed = (formula: string, scale?: number, result = 'decimal', name = 'value'): Field =>
  ({ name, type: 'computed', formula, result, ...(scale !== undefined && { scale }) }) as Field

const tableOf = (...fields: readonly Field[]) => {
  const table_fields = [...base, ...fields]
  return { table_fields, fieldsByName: new Map(table_fields.map((field) => [field.name, field])) }
}

function problemOf(formula: string): string | undefined {
  const problems: string[] = []
  checkFormulas(tableOf(computed(formula)).table_fields, (_path, message) => problems.push(message))
  return problems[0]
}

const valueOf = async (formula: string, data: Record<string, unknown> = {}, scale?: number): Promise<unknown> =>
  ((await withComputed(tableOf(computed(formula, scale)), data)) as { value?: unknown }).value

describe('a formula whose result is a decimal', () => {
  it.each<[string, Record<string, unknown>, string | undefined, number?]>([
    ['0.1 + 0.2', {}, '0.30'],
    ['price * quantity', { price: '0.1000', quantity: 3 }, '0.30'],
    ['price * quantity', { price: '12345678901234567.1234', quantity: 1 }, '12345678901234567.1234', 4],
    ['price / 3 * 3', { price: '10' }, '10.00'],
    ['price / 3', { price: '10' }, '3.333333', 6],
    ['1 / 8', {}, '0.12'],
    ['3 / 8', {}, '0.38'],
    ['round half up(1 / 8, 2)', {}, '0.13'],
    ['round half down(0.125, 2)', {}, '0.12'],
    ['round up(1.001, 2)', {}, '1.01'],
    ['round down(-1.009, 2)', {}, '-1.00'],
    ['floor(-1.5)', {}, '-2.00'],
    ['ceiling(1.21, 1)', {}, '1.30'],
    ['decimal(2.5, 0)', {}, '2.00'],
    ['-price + abs(-1.5)', { price: '1.2500' }, '0.25'],
    ['min(price, tax, 3)', { price: '2.5', tax: '2.49' }, '2.49'],
    ['max([price, tax])', { price: '2.5', tax: '2.49' }, '2.50'],
    ['sum([price, tax, 0.01])', { price: '2.5', tax: '2.49' }, '5.00'],
    ['mean(price, tax)', { price: '1', tax: '2' }, '1.50'],
    ['product(price, tax, 2)', { price: '1.5', tax: '2' }, '6.00'],
    ['price - -tax', { price: '1', tax: '2' }, '3.00'],
    ['if price > tax then price else tax', { price: '1.0001', tax: '1.00' }, '1.00'],
    ['if kind = "book" and not(paid) then price * 0.93 else price', { price: '10', kind: 'book', paid: false }, '9.30'],
    ['if kind in ("book", "film") then 1 else 2', { kind: 'film' }, '1.00'],
    ['if price between 1 and 2 then 1 else 0', { price: '2' }, '1.00'],
    ['if price = null then 0 else price', {}, '0.00'],
    ['if price > 1 then 1 else 2', {}, '2.00'],
    ['if paid or price > 1 then 1 else 2', { paid: true }, '1.00'],
    ['if price != 1.10 then 1 else 2', { price: '1.1000' }, '2.00'],
    ['price * quantity', { price: '1' }, undefined],
    ['price / quantity', { price: '1', quantity: 0 }, undefined],
    ['1e30 * 1e30', {}, undefined],
    ['// of a line\nprice /* each */ + 1', { price: '1' }, '2.00'],
  ])('%s of %j is %j', async (formula, data, value, scale) => expect(await valueOf(formula, data, scale)).toBe(value))

  it.each([
    ['price ** 2', /\*\* .*not available here.*takes \+ - \* \//s],
    ['sqrt(price)', /sqrt\(price\) is not available here/],
    ['weight * price', /The field weight is a float, which is not exact: make it a decimal/],
    ['if due > date("2026-01-01") then 1 else 2', /The field due is a date, .*a field of its own/],
    ['string length(kind)', /not available here/],
    ['kind', /The formula is a text, and its result a decimal/],
    ['price > 1', /The formula is a boolean, and its result a decimal/],
    ['null', /The formula is a null/],
    ['price + kind', /kind is a text, where a number is needed/],
    ['if price then 1 else 2', /price is a number, where a boolean is needed/],
    ['if kind = 1 then 1 else 2', /compares a text with a number/],
    ['if kind < "a" then 1 else 2', /compares a text: only numbers have an order/],
    ['if paid then 1 else "x"', /then is a number and else a text/],
    ['round up(price, quantity)', /whole number from 0 to 12: round up\(price, 2\)/],
    ['round up(price)', /whole number from 0 to 12/],
    ['pirce * 2', /Did you mean price\?/],
    ['price *', /something is missing at its end/],
  ])('%s is refused: %s', (formula, problem) => expect(problemOf(formula)).toMatch(problem))

  it('uses other computed decimals, in any order, and is used by formulas that are not exact', async () => {
    const table = tableOf(
      computed('net * 1.19', 2, 'decimal', 'gross'),
      computed('price * quantity', 4, 'decimal', 'net'),
      computed('gross > 2', undefined, 'boolean', 'is_large'),
    )
    const data = { price: '0.9999', quantity: 2 }
    expect(await withComputed(table, data)).toMatchObject({ net: '1.9998', gross: '2.38', is_large: true })
  })

  it('is exact for sums, differences and products, and for quotients to the last digit that is kept', async () => {
    const amount = fc.tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.integer({ min: 0, max: 4 }))
    const written = ([unscaled, scale]: readonly [bigint, number]): string => {
      const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
      const whole = digits.slice(0, digits.length - scale)
      return `${unscaled < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`
    }
    const tenTo = (power: number): bigint => 10n ** BigInt(power)
    await fc.assert(
      fc.asyncProperty(amount, amount, async ([a, sa], [b, sb]) => {
        const data = { price: written([a, sa]), tax: written([b, sb]) }
        const scaled = async (formula: string): Promise<bigint> =>
          BigInt(String(await valueOf(formula, data, 8)).replace('.', ''))
        expect(await scaled('price + tax')).toBe(a * tenTo(8 - sa) + b * tenTo(8 - sb))
        expect(await scaled('price - tax')).toBe(a * tenTo(8 - sa) - b * tenTo(8 - sb))
        expect(await scaled('price * tax')).toBe(a * b * tenTo(8 - sa - sb))
        if (b === 0n) return
        const quotient = await scaled('price / tax')
        // Twice the distance to the true quotient is at most one of the last digit.
        const rest = 2n * (quotient * b * tenTo(sa) - a * tenTo(sb) * tenTo(8))
        const bound = b * tenTo(sa)
        expect((rest < 0n ? -rest : rest) <= (bound < 0n ? -bound : bound)).toBe(true)
      }),
      { numRuns: 200, seed: 39 },
    )
  })

  it('means what the same formula means with a float as its result', async () => {
    const { expression } = fc.letrec<{ expression: string; number: string; condition: string }>((tie) => ({
      number: fc.oneof(fc.constantFrom('price', 'tax', 'quantity'), fc.integer({ min: -9, max: 9 }).map(String)),
      condition: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom('paid', 'quantity = 3', 'price in (1, 2)'),
        fc
          .tuple(tie('expression'), fc.constantFrom('<', '>=', '=', '!='), tie('expression'))
          .map((all) => all.join(' ')),
        fc
          .tuple(tie('condition'), fc.constantFrom('and', 'or'), tie('condition'))
          .map(([a, sign, b]) => `(${a}) ${sign} (${b})`),
      ),
      expression: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        tie('number'),
        fc
          .tuple(tie('expression'), fc.constantFrom('+', '-', '*'), tie('expression'))
          .map(([a, sign, b]) => `(${a} ${sign} ${b})`),
        fc
          .tuple(fc.constantFrom('min', 'max', 'sum'), tie('expression'), tie('expression'))
          .map(([name, a, b]) => `${name}(${a}, ${b})`),
        fc
          .tuple(tie('condition'), tie('expression'), tie('expression'))
          .map(([test, a, b]) => `(if ${test} then ${a} else ${b})`),
        tie('expression').map((one) => `abs(${one})`),
      ),
    }))
    // Halves and quarters are exact in binary numbers too, so that comparisons decide alike.
    const quarter = fc.integer({ min: -40, max: 40 }).map((four) => (four / 4).toFixed(2))
    await fc.assert(
      fc.asyncProperty(
        expression,
        quarter,
        quarter,
        fc.integer({ min: 0, max: 5 }),
        async (formula, price, tax, quantity) => {
          const data = { price, tax, quantity, paid: quantity % 2 === 1 }
          const exact = await valueOf(formula, data, 12)
          const table = tableOf(computed(formula, undefined, 'float'))
          const { value: float } = (await withComputed(table, data)) as { value?: number }
          fc.pre(float === undefined || Math.abs(float) < 1e12)
          expect(exact === undefined ? undefined : Number(exact)).toBe(float === 0 ? 0 : float)
        },
      ),
      { numRuns: runs(300, 200), seed: 39 },
    )
  })

  it('has no value once its number is longer than any amount, however it grows', async () => {
    expect(await valueOf(`${'price * '.repeat(200)}1`, { price: '9'.repeat(30) })).toBeUndefined()
    expect(await valueOf(`sum([${'price / 7, '.repeat(150)}1])`, { price: '1' })).toBe('22.43')
  })
})
