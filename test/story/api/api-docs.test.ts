import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenApiDocument } from '../../../shared/http/openapi/document-types.ts'
import { brokenRules } from '../../make/oracles/broken-rules.ts'
import { startService, type TestService } from '../../make/services/service.ts'

const run = promisify(execFile)

/** Open, for the Bot API has no token: it sends the secret that `set-webhook` gave it. */
const provesItselfByHeader = '/api/messenger/webhook'
/** With a token that is not known it answers as an address that does not exist. */
const hidesItself = '/api/in/{token}'

describe('the API reference', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
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
        const address = path.replaceAll(/\{\w+\}/g, '1')
        const answered = await service.api(method.toUpperCase(), address)
        const isUnknown = answered.body?.message === 'The address was not found.'
        expect(isUnknown, `${method} ${path}`).toBe(path === hidesItself)
        const isRefused = operation.security?.length !== 0 || path === provesItselfByHeader
        expect(answered.status === 401, `${method} ${path}`).toBe(isRefused)
      }
    }
  })

  it('serves a page whose content security policy forbids to load anything', async () => {
    const { status, headers, body } = await service.api('GET', '/api/docs')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+';/,
    )
    expect(body).toMatch(/^<!doctype html>/)
  })

  it('answers every other address with 404 in the envelope', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/api/nothing'],
      ['POST', '/api/health/7'],
      ['DELETE', '/api/docs/7'],
    ] as const) {
      const { status, headers, body } = await service.api(method, path)
      expect({ status, body }, `${method} ${path}`).toEqual({
        status: 404,
        body: { success: false, code: 'endpoint_not_found', message: 'The address was not found.' },
      })
      expect(headers.get('x-request-id')).toMatch(/./)
    }
  })

  it('has a Getting started section whose commands work as they are shown', async () => {
    const { body: page } = await service.api('GET', '/api/docs')
    const commands = firstSteps(page)
      .filter((command) => !command.startsWith('npm'))
      .map((command) =>
        command
          .replaceAll('http://localhost:3000', service.url)
          .replaceAll('admin@example.com', service.admin.email)
          .replaceAll('correct horse battery staple', service.admin.password),
      )
    expect(commands).toHaveLength(5)
    const { stdout } = await run('sh', ['-ec', commands.join('\necho ____\n')])
    const [token, table, record, changed, history] = stdout.split('____').map((text) => text.trim())
    expect(token).toMatch(/^\d+\|[\w-]{43}$/)
    expect(JSON.parse(table ?? '')).toMatchObject({ success: true, data: { name: 'tickets' } })
    expect(JSON.parse(record ?? '')).toMatchObject({
      success: true,
      data: { id: 1, data: { title: 'Printer out of paper', priority: 3 } },
    })
    expect(JSON.parse(changed ?? '')).toMatchObject({
      success: true,
      data: { data: { title: 'Printer out of paper', priority: 1 } },
    })
    expect(JSON.parse(history ?? '')).toMatchObject({
      success: true,
      data: [{ action: 'update', changes: { priority: { old: 3, new: 1 } } }, { action: 'create' }],
    })
  })
})

/** The commands under Getting started, as a reader copies them. */
function firstSteps(page: string): string[] {
  const [section = ''] = /<section class="start".*?<\/section>/s.exec(page) ?? []
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return [...section.matchAll(/<pre[^>]*><code>(.*?)<\/code><\/pre>/gs)].map(([, html = '']) =>
    html.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? ''),
  )
}
