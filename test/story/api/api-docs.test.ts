import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageFiles } from '../../../functions/api/api-docs/routes.ts'
import type { OpenApiDocument } from '../../../shared/platform/http/openapi/document-types.ts'
import { brokenRules } from '../../make/oracles/broken-rules.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

/**
 * Open, and yet refused here: the Bot API has no token, it sends the secret that `set-webhook` gave it; and a browser's
 * session ends by its cookie.
 */
const provesItself = ['post /api/messenger/webhook', 'delete /api/session', 'get /api/sys/mailboxes/callback']
/** With a token that is not known it answers as an address that does not exist. */
const hidesItself = '/api/in/{token}'

describe('the API reference', () => {
  let service: TestService
  beforeAll(async () => {
    service = await sharedService()
  })
  afterAll(() => service?.stop())

  it('includes a health check without an envelope and without a token', async () => {
    const { status, body } = await service.api('GET', '/api/health')
    expect(status).toBe(200)
    expect(body).toEqual({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
  })

  it('serves a valid OpenAPI document with the version of the service', async () => {
    const { status, headers, body } = await service.api('GET', '/api/openapi.json')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(await new Validator().validate(structuredClone(body))).toEqual({ valid: true })
    expect(brokenRules(body as OpenApiDocument)).toEqual([])
    expect(body.info.version).toBe((await service.api('GET', '/api/health')).body.version)
  })

  it('documents only routes that exist, and requires a token exactly where it says so', async () => {
    const { body } = await service.api('GET', '/api/openapi.json')
    for (const [path, methods] of Object.entries((body as OpenApiDocument).paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const address = path
          .replace('{file}', 'page.js')
          .replace('{name}', 'hooks')
          .replaceAll(/\{\w+\}/g, '1')
        const answered = await service.api(method.toUpperCase(), address)
        const isUnknown = answered.body?.message === 'The address was not found.'
        expect(isUnknown, `${method} ${path}`).toBe(path === hidesItself)
        const { security = [{ bearer: [] }] } = operation
        const isOpen = security.length === 0 || security.some((one) => Object.keys(one).length === 0)
        const isRefused = !isOpen || provesItself.includes(`${method} ${path}`)
        expect(answered.status === 401, `${method} ${path}`).toBe(isRefused)
      }
    }
  })

  it('serves a page that runs its own scripts only and contacts no other host', async () => {
    const { status, headers, body } = await service.api('GET', '/api/docs')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; .*connect-src 'self';/,
    )
    expect(body).toMatch(/^<!doctype html>/)
  })

  it.each(Object.entries(pageFiles))('serves %s compressed, and 304 to who has it', async (name, type) => {
    const { status, headers } = await service.api('GET', `/api/docs/${name}`)
    expect({ status, type: headers.get('content-type'), encoding: headers.get('content-encoding') }).toEqual({
      status: 200,
      type,
      encoding: 'gzip',
    })
    expect(headers.get('cache-control')).toMatch(name.startsWith('scalar-') ? /immutable/ : /max-age=300$/)
    const etag = headers.get('etag') ?? ''
    const again = await service.api('GET', `/api/docs/${name}`, { headers: { 'if-none-match': etag } })
    expect([again.status, again.body]).toEqual([304, undefined])
  })

  it('serves every guide on the page and as Markdown', async () => {
    const { body: guides } = await service.api('GET', '/api/docs/guides.json')
    expect(guides.length).toBeGreaterThan(9)
    for (const { name, title } of guides) {
      const opened = await service.api('GET', `/api/docs/guide/${name}`)
      expect([opened.status, opened.headers.get('location')]).toEqual([
        302,
        `${service.url}/api/docs#tag/guide-${name}`,
      ])
      const text = await service.api('GET', `/api/docs/guide/${name}.md`)
      expect(text.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
      expect(text.body.startsWith(`# ${title}\n`)).toBe(true)
    }
    const unknown = await service.api('GET', '/api/docs/guide/gardening')
    expect([unknown.status, unknown.body.message]).toEqual([
      404,
      expect.stringContaining('There is no guide gardening. The guides are getting-started, '),
    ])
  })

  it('answers every other address with 404 in the envelope', async () => {
    for (const [method, path] of [
      ['GET', '/api/nothing'],
      ['POST', '/api/health/7'],
      ['DELETE', '/api/docs/7/8/9'],
    ] as const) {
      const { status, headers, body } = await service.api(method, path)
      expect({ status, body }, `${method} ${path}`).toEqual({
        status: 404,
        body: { success: false, code: 'endpoint_not_found', message: 'The address was not found.' },
      })
      expect(headers.get('x-request-id')).toMatch(/./)
    }
  })
})
