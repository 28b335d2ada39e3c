import { expect, it } from 'vitest'
import { locationOf } from '../../../../../../shared/platform/http/routing/request-paths.ts'

it.each<[string, string | undefined]>([
  ['/api/e/horses/7', '/api/e/horses/7'],
  ['/api/e/horses/Größe €', '/api/e/horses/Gr%C3%B6%C3%9Fe%20%E2%82%AC'],
  ['/api/e/horses/a?b#c%', '/api/e/horses/a%3Fb%23c%25'],
  ['/api/e/horses/\ud800', '/api/e/horses/%EF%BF%BD'],
  ['/api/e/horses/\r\nset-cookie: a=b', undefined],
  ['/api/e/horses/\u0000', undefined],
  ['/api/e/horses/\u0085', undefined],
])('of the path %j is %s', (path, location) => {
  expect(locationOf(path)).toBe(location)
})

it('keeps the query, of which a header may hold everything', () => {
  expect(locationOf('/a', 'q=%7B%22b%22%3A1%7D&per_page=2')).toBe('/a?q=%7B%22b%22%3A1%7D&per_page=2')
  expect(locationOf('/a', 'q=ü b\n')).toBe('/a?q=%C3%BC%20b%0A')
})
