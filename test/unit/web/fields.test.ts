import { describe, expect, it, vi } from 'vitest'

vi.stubGlobal('window', { location: { origin: 'http://localhost' } })
const { readDuration, writeDuration } = await import('../../../web/fields/types/duration.tsx')
const { moduleOf } = await import('../../../web/fields/registry.ts')
const { formOf } = await import('../../../web/api/form.ts')
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
  it('has the fields that are shown, with what the table says of them', () => {
    const field = { name: 'title', label: 'Title', type: 'text', required: true, readonly: false, visible: true }
    const form = formOf({
      fields: [
        { ...field, settings: { max_length: 20 } },
        { ...field, name: 'reason', visible: false, settings: {} },
      ],
      transitions: [],
      data: { title: 'x' },
    } as never)
    expect(form.fields).toEqual([
      { name: 'title', label: 'Title', type: 'text', required: true, readonly: false, max_length: 20 },
    ])
    expect(form.data).toEqual({ title: 'x' })
  })
})
