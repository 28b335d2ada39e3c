import { describe, expect, it } from 'vitest'
import { allRoutes } from '../../../../../../functions/api/api-docs/all-routes.ts'
import { loggedPath, secretPaths } from '../../../../../../shared/platform/http/routing/request-paths.ts'

describe('the path of a log line', () => {
  it.each([
    ['/api/e/requests/42', '/api/e/requests/42'],
    ['/api/sys/settings', '/api/sys/settings'],
    ['/api/join/9|abc', '/api/join/***'],
    ['/api/join/9|abc/', '/api/join/***'],
    ['/api/join/9|abc/more', '/api/join/***'],
    ['//api//join//9|abc', '/api/join/***'],
    ['/API/In/7|secret', '/api/in/***'],
    ['/join/abc', '/join/***'],
    ['/password/reset/abc', '/password/reset/***'],
    ['/email/verify/abc', '/email/verify/***'],
    ['/follow/abc', '/follow/***'],
    ['/decide/abc?outcome=yes', '/decide/***'],
    ['/api/decide/abc', '/api/decide/***'],
    ['/unsubscribe/abc', '/unsubscribe/***'],
    ['/api/unsubscribe/abc', '/api/unsubscribe/***'],
    ['/api/follow/abc', '/api/follow/***'],
    ['/api/files/sent/1.2.abc', '/api/files/sent/***'],
    ['/password/forgot', '/password/forgot'],
    ['/api/incoming', '/api/incoming'],
    ['/api/e/a\nb', '/api/e/a?b'],
    [`/${'x'.repeat(400)}`, `/${'x'.repeat(299)}`],
  ])('%j is %j', (path, logged) => expect(loggedPath(path)).toBe(logged))

  it('has no secret of any route', () => {
    const named = allRoutes.filter(({ path }) => /\{(token|secret|code|key)\}/.test(path)).map(({ path }) => path)
    expect(named.length).toBeGreaterThan(2)
    expect(named.filter((path) => !secretPaths.some((prefix) => path.startsWith(prefix)))).toEqual([])
  })
})
