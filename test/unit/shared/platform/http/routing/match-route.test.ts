import { describe, expect, it } from 'vitest'
import { routeMatcher } from '../../../../../../shared/platform/http/routing/match-route.ts'

const routes = [
  { method: 'GET', path: '/api/things' },
  { method: 'POST', path: '/api/things' },
  { method: 'GET', path: '/api/things/{id}' },
  { method: 'DELETE', path: '/api/things/{id}' },
  { method: 'GET', path: '/api/things/models' },
  { method: 'POST', path: '/api/things/{action_id}/prepare' },
] as const
const match = routeMatcher(routes)
const found = (method: string, path: string) => {
  const one = match(method, path)
  return one?.route ? [`${one.route.method} ${one.route.path}`, one.params] : one?.methods
}

describe('an address', () => {
  it.each([
    ['GET', '/api/things', ['GET /api/things', {}]],
    ['HEAD', '/api/things', ['GET /api/things', {}]],
    ['GET', '/api/things/', ['GET /api/things', {}]],
    ['GET', '/api/things/7', ['GET /api/things/{id}', { id: '7' }]],
    ['GET', '/api/things/models', ['GET /api/things/models', {}]],
    ['DELETE', '/api/things/models', ['GET']],
    ['POST', '/api/things/7/prepare', ['POST /api/things/{action_id}/prepare', { action_id: '7' }]],
    ['PUT', '/api/things', ['GET', 'POST']],
    ['PATCH', '/api/things/7', ['GET', 'DELETE']],
    ['GET', '/api/things//prepare', undefined],
    ['GET', '/api/things/7/8/9', undefined],
    ['GET', '/api', undefined],
  ])('%s %s', (method, path, expected) => {
    expect(found(method, path)).toEqual(expected)
  })
})
