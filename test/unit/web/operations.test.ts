import { describe, expect, it, vi } from 'vitest'
import { readOperationsSearch } from '../../../web/admin/operations/operations-search.ts'

vi.stubGlobal('window', { location: { origin: 'http://127.0.0.1' } })
const { filterOf } = await import('../../../web/api/operations.ts')

describe('the address of the processes', () => {
  it.each([
    [{}, {}],
    [{ status: 'incident' }, {}],
    [
      { status: 'running', template: 7, job: 3 },
      { status: 'running', template: 7, job: 3 },
    ],
    [{ status: 'toString', template: '7', job: -1 }, {}],
  ])('%j is read as %j', (given, read) => expect(readOperationsSearch(given)).toEqual(read))
})

describe('the filter of a bulk operation', () => {
  it('names those that were chosen, whatever became of them meanwhile', () =>
    expect(filterOf([3, 1])).toEqual({ id: { _in: [3, 1] } }))

  it('is the selection when every one is meant', () => {
    expect(filterOf({ status: 'incident' })).toEqual({ status: 'incident' })
    expect(filterOf({ status: 'running', template: 7 })).toEqual({ status: 'running', template_id: 7 })
  })
})
