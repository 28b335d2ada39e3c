import { describe, expect, it } from 'vitest'
import { checkLimits, type Limits } from '../../../../../shared/accounts/access/check-limits.ts'
import { tableOf } from '../../../../make/builders/lists/query-records.ts'

const tables = [
  tableOf(1, 'cars', [
    { name: 'plate', type: 'text' },
    { name: 'price', type: 'integer' },
  ]),
  tableOf(2, 'users', [{ name: 'name', type: 'text' }]),
]
const check = (limits: Limits, before?: Limits) => checkLimits(tables, limits, before)
const withoutUsers = (limits: Limits) => checkLimits(tables.slice(0, 1), limits)
const rule = (table: string, filter: Record<string, unknown>) => ({ table, action: 'read' as const, filter })
/** 100 KB of JSON, and `more` characters. */
const filled = (around: number, more: number) => 'x'.repeat(100 * 1024 - around + more)

describe('the permissions of a role', () => {
  it.each([
    '*',
    '*.fly',
    'cars.read',
    'cars.create',
    'cars.update',
    'cars.delete',
    'cars.comment',
    'cars.comment_internal',
    'cars.*',
  ])('may be %s', async (permission) => {
    expect(await check({ permissions: [permission] })).toEqual({})
  })

  it('may be of a table that is made later, unless its name is like that of another', async () => {
    expect(await check({ permissions: ['bicycles.read'] })).toEqual({})
    expect(await check({ permissions: ['cars.read', 'cras.read'] })).toEqual({
      'permissions.1': ['The selected permissions.1 is invalid: there is no table cras. Did you mean cars.read?'],
    })
    expect(await check({ permissions: ['incoming_mesages.read'] })).toEqual({
      'permissions.0': [expect.stringContaining('Did you mean incoming_messages.read?')],
    })
  })

  it('name an action of the table', async () => {
    expect(await check({ permissions: ['cars.raed', 'cars.fly', 'bicycles.fly', 'cars.comment_internl'] })).toEqual({
      'permissions.0': ['The selected permissions.0 is invalid: there is no action raed on cars. Did you mean read?'],
      'permissions.1': [
        'The selected permissions.1 is invalid: there is no action fly on cars. Actions are read, create, update, delete, comment, comment_internal, *.',
      ],
      'permissions.2': [expect.stringContaining('there is no action fly on bicycles.')],
      'permissions.3': [expect.stringContaining('Did you mean comment_internal?')],
    })
  })

  it('name what can be done with the objects that are no tables, unless a table has their name', async () => {
    expect(await withoutUsers({ permissions: ['users.read', 'users.*', 'incoming_messages.create'] })).toEqual({})
    expect(await withoutUsers({ permissions: ['users.update', 'incoming_messages.delete'] })).toEqual({
      'permissions.0': [expect.stringContaining('Actions are read, *.')],
      'permissions.1': [expect.stringContaining('Actions are read, create, update, *.')],
    })
    expect(await check({ permissions: ['users.update'] })).toEqual({})
  })

  it('may stay when their table is gone', async () => {
    const before = { permissions: ['cras.read'] }
    expect(await check(before, before)).toEqual({})
    expect(await check({ permissions: ['cras.read', 'cras.update'] }, before)).toHaveProperty('permissions.1')
  })
})

describe('the row rules of a role', () => {
  it('may stay when their table or field is gone, word for word', async () => {
    const before = { rules: [rule('boats', { colour: 'red' }), rule('cars', { colour: 'red' })] }
    expect(await check(before, before)).toEqual({})
    expect(Object.keys(await check(before))).toEqual(['rules.0.table', 'rules.1.filter.colour'])
    const changed = { rules: [rule('cars', { colour: 'blue' }), ...before.rules] }
    expect(Object.keys(await check(changed, before))).toEqual(['rules.0.filter.colour'])
  })

  it('hold 100 KB and not a byte more', async () => {
    const around = Buffer.byteLength(JSON.stringify([rule('cars', { plate: '' })]))
    const long = (more: number) => ({ rules: [rule('cars', { plate: filled(around, more) })] })
    expect((await check(long(0))).rules).toBeUndefined()
    expect((await check(long(1))).rules).toEqual(['The rules may not be larger than 100 KB.'])
  })
})

describe('the field rules of a role', () => {
  it('name fields of tables, and no standard field', async () => {
    expect(await check({ fields: { cars: { read: ['plate', 'price'], write: ['price'] } } })).toEqual({})
    const wrong = { cars: { read: ['plate', 'pirce'], write: ['id'] }, boats: { read: ['sail'] } }
    expect(await check({ fields: wrong })).toEqual({
      'fields.cars.read.1': ['There is no field pirce in cars. Did you mean price?'],
      'fields.cars.write.0': ['The field id can always be read and never be set: leave it out.'],
      'fields.boats': ['There is no table boats.'],
    })
  })

  it('may keep what is gone, in the list that had it', async () => {
    const before = { fields: { cars: { read: ['colour'] }, boats: { read: ['sail'] } } }
    expect(await check(before, before)).toEqual({})
    const moved = { fields: { cars: { read: ['colour'], write: ['colour'] }, boats: { read: ['mast'] } } }
    expect(Object.keys(await check(moved, before))).toEqual(['fields.cars.write.0'])
  })

  it('of a table that is named like a member of every object are new', async () => {
    expect(Object.keys(await check({ fields: { constructor: { read: ['plate'] } } }))).toEqual(['fields.constructor'])
  })

  it('hold 100 KB and not a byte more', async () => {
    const around = Buffer.byteLength(JSON.stringify({ cars: { read: [''] } }))
    const long = (more: number) => ({ fields: { cars: { read: [filled(around, more)] } } })
    expect((await check(long(0))).fields).toBeUndefined()
    expect((await check(long(1))).fields).toEqual(['The fields may not be larger than 100 KB.'])
  })
})
