import { describe, expect, it, vi } from 'vitest'

vi.stubGlobal('window', { location: { origin: 'http://localhost' } })
const { readDuration, writeDuration } = await import('../../../web/fields/types/duration.tsx')
const { moduleOf } = await import('../../../web/fields/registry.ts')
const { deriveForm } = await import('../../../web/api/form.ts')
const { may } = await import('../../../web/api/permissions.ts')
const { registry } = await import('../../../shared/tables/field-types/registry.ts')

describe('a duration', () => {
  it.each([
    ['1h 30m', 5400],
    ['90', 5400],
    ['1d', 86_400],
    ['', null],
    ['soon', 'soon'],
  ])('%s is read as %s', (text, seconds) => expect(readDuration(text)).toBe(seconds))

  it.each([
    [5400, '1h 30m'],
    [0, '0m'],
    [90_061, '1d 1h 1m 1s'],
  ])('%s is written as %s', (seconds, text) => expect(writeDuration(seconds)).toBe(text))
})

describe('the module of a field type', () => {
  it('is there for every type of the service', () => {
    const unknown = moduleOf({ type: 'of the future' })
    expect(Object.keys(registry).filter((type) => moduleOf({ type }) === unknown)).toEqual([])
    expect(unknown.Edit).toBeUndefined()
  })
})

describe('permissions', () => {
  it.each([
    [['*'], true],
    [['requests.*'], true],
    [['*.update'], true],
    [['requests.update'], true],
    [['requests.read', 'clients.*'], false],
  ])('%j', (permissions, allowed) => expect(may({ permissions }, 'update', 'requests')).toBe(allowed))
})

describe('a form', () => {
  const table = {
    name: 'requests',
    table_fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'number', type: 'auto_number' },
      { name: 'priority', type: 'integer', default: 3 },
      { name: 'owner', type: 'user', default: '$CURRENT_USER' },
      {
        name: 'status',
        type: 'state_model',
        states: [{ slug: 'new', is_initial: true }, { slug: 'open' }, { slug: 'closed' }],
        transitions: [
          { from: 'new', to: 'open' },
          { from: '*', to: 'closed', roles: ['agent'] },
        ],
      },
    ],
  } as never
  const record = { id: 1, version: 1, data: { status: 'new' } } as never

  it('offers the moves that are open to the caller', () => {
    const movesOf = (roles: readonly string[]) =>
      deriveForm(table, { permissions: ['requests.update'], roles: [...roles] }, record).moves.map(({ to }) => to.slug)
    expect([movesOf(['user']), movesOf(['agent']), movesOf(['admin'])]).toEqual([
      ['open'],
      ['open', 'closed'],
      ['open', 'closed'],
    ])
  })

  it('is for reading only without the permission, and where the service computes', () => {
    const readonlyOf = (permissions: readonly string[]) =>
      deriveForm(table, { permissions: [...permissions], roles: [] }, record).fields.filter((field) => field.readonly)
        .length
    expect([readonlyOf(['requests.read']), readonlyOf(['requests.update'])]).toEqual([5, 1])
  })

  it('begins with the defaults that are no words of the service', () => {
    expect(deriveForm(table, { permissions: ['*'], roles: ['admin'] }).defaults).toEqual({ priority: 3 })
  })
})
