import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Invalid } from '../../../../../../../shared/kernel/failures/faults.ts'
import { parseInput } from '../../../../../../../shared/platform/http/routing/input/parse-input.ts'

function errorsOf(schema: z.ZodType, value: unknown, root?: 'body' | 'query'): Record<string, string[]> {
  try {
    parseInput(schema, value, root)
    return {}
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return error.errors
  }
}

const Person = z.strictObject({
  name: z.string().min(1).max(5),
  password: z.string().min(8).optional(),
  age: z.int().min(18).max(99).optional(),
  height: z.number().optional(),
  email: z.email().optional(),
  site: z.url().optional(),
  is_active: z.boolean().optional(),
  color: z.enum(['red', 'green']).optional(),
  mood: z.object({ color: z.enum(['red', 'green']) }).optional(),
  tags: z.array(z.string()).min(1).max(2).optional(),
  home: z.object({ city: z.string() }).optional(),
  extra: z.record(z.string(), z.number()).optional(),
  even: z
    .int()
    .refine((value) => value % 2 === 0, { error: 'The even must be even.' })
    .optional(),
  odd: z
    .int()
    .refine((value) => value % 2 === 1)
    .optional(),
})

describe('the errors of a value', () => {
  it.each<[object, Record<string, string[]>]>([
    [{}, { name: ['The name field is required.'] }],
    [{ name: '' }, { name: ['The name field is required.'] }],
    [{ name: null }, { name: ['The name must be a string.'] }],
    [{ name: 1 }, { name: ['The name must be a string.'] }],
    [{ name: 'abcdef' }, { name: ['The name may not be greater than 5 characters.'] }],
    [{ name: 'a', password: 'short' }, { password: ['The password must be at least 8 characters.'] }],
    [{ name: 'a', age: 1 }, { age: ['The age must be at least 18.'] }],
    [{ name: 'a', age: 100 }, { age: ['The age may not be greater than 99.'] }],
    [{ name: 'a', age: 18.5 }, { age: ['The age must be an integer.'] }],
    [{ name: 'a', age: '18' }, { age: ['The age must be a number.'] }],
    [{ name: 'a', height: 'tall' }, { height: ['The height must be a number.'] }],
    [{ name: 'a', email: 'x' }, { email: ['The email must be a valid email address.'] }],
    [{ name: 'a', site: 'x' }, { site: ['The site format is invalid.'] }],
    [{ name: 'a', is_active: 1 }, { is_active: ['The is_active must be true or false.'] }],
    [{ name: 'a', color: 'blue' }, { color: ['The selected color is invalid: it must be one of red, green.'] }],
    [{ name: 'a', mood: { color: undefined } }, { 'mood.color': ['The mood.color field is required.'] }],
    [{ name: 'a', tags: [] }, { tags: ['The tags must have at least 1 items.'] }],
    [{ name: 'a', tags: ['a', 'b', 'c'] }, { tags: ['The tags may not have more than 2 items.'] }],
    [{ name: 'a', tags: ['a', 2] }, { 'tags.1': ['The tags.1 must be a string.'] }],
    [{ name: 'a', home: {} }, { 'home.city': ['The home.city field is required.'] }],
    [{ name: 'a', home: [] }, { home: ['The home must be an object.'] }],
    [{ name: 'a', extra: 5 }, { extra: ['The extra must be an object.'] }],
    [{ name: 'a', even: 3 }, { even: ['The even must be even.'] }],
    [{ name: 'a', odd: 2 }, { odd: ['The odd is invalid.'] }],
    [
      { name: 'a', shoe: 43, hat: 7 },
      {
        shoe: [
          'The shoe field is unknown. Known are: name, password, age, height, email, site, is_active, color, mood, tags, home, extra, even, odd.',
        ],
        hat: [
          'The hat field is unknown. Known are: name, password, age, height, email, site, is_active, color, mood, tags, home, extra, even, odd.',
        ],
      },
    ],
    [
      { age: 'x', color: 1 },
      {
        name: ['The name field is required.'],
        age: ['The age must be a number.'],
        color: ['The selected color is invalid: it must be one of red, green.'],
      },
    ],
  ])('of every wrong field are named: %j', (value, errors) => {
    expect(errorsOf(Person, value)).toEqual(errors)
  })

  it('suggest the known name that a mistyped one is most like', () => {
    const problem = () => parseInput(z.strictObject({ title: z.string(), body: z.string().optional() }), { titel: 'x' })
    expect(problem).toThrow(
      expect.objectContaining({
        errors: { titel: ['The titel field is unknown. Did you mean title?'], title: ['The title field is required.'] },
      }),
    )
  })

  it('are under body or query when the whole is wrong', () => {
    expect(errorsOf(z.strictObject({ name: z.string().optional() }), undefined)).toEqual({
      body: ['The body field is required.'],
    })
    expect(errorsOf(Person, [])).toEqual({ body: ['The body must be an object.'] })
    expect(errorsOf(Person, 5, 'query')).toEqual({ query: ['The query must be an object.'] })
  })

  it('name the required fields when nothing is sent', () => {
    expect(errorsOf(Person, undefined)).toEqual({ name: ['The name field is required.'] })
    expect(errorsOf(z.array(z.string()), undefined)).toEqual({ body: ['The body field is required.'] })
  })

  it.each(['toString', 'hasOwnProperty', 'valueOf', '__proto__', 'constructor'])(
    'may belong to a field called %s',
    (name) => {
      const sent = JSON.parse(`{"${name}": 1}`)
      const errors = errorsOf(z.strictObject({}), sent)
      expect(Object.keys(errors)).toEqual([name])
      expect(JSON.parse(JSON.stringify(errors))[name]).toEqual([`The ${name} field is unknown.`])
    },
  )

  it('use the message of the schema when it has one, except for a missing value', () => {
    const Name = z.object({
      name: z.string({ error: 'Give it a name.' }).regex(/^[a-z]+$/, { error: 'Use lower-case letters.' }),
    })
    expect(errorsOf(Name, { name: 'A' })).toEqual({ name: ['Use lower-case letters.'] })
    expect(errorsOf(Name, { name: 5 })).toEqual({ name: ['Give it a name.'] })
    expect(errorsOf(Name, {})).toEqual({ name: ['The name field is required.'] })
  })

  it('name the kinds of a value that has several shapes', () => {
    const shapes = ['a', 'b'].map((kind) => z.strictObject({ kind: z.literal(kind) }))
    const Shaped = z.object({ shape: z.discriminatedUnion('kind', shapes as [(typeof shapes)[0]]) })
    for (const shape of [{}, { kind: 'c' }])
      expect(errorsOf(Shaped, { shape })).toEqual({
        'shape.kind': ['The selected shape.kind is invalid: it must be one of a, b.'],
      })
    expect(errorsOf(z.object({ id: z.union([z.int(), z.string()]) }), { id: true })).toEqual({
      id: ['The id is invalid.'],
    })
  })

  it('are none for a valid value, which is answered parsed', () => {
    expect(parseInput(z.object({ name: z.string().trim() }), { name: ' Ada ' })).toEqual({ name: 'Ada' })
  })
})
