import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Operation } from '../../../../../../shared/platform/http/openapi/document-types.ts'
import { openApiDocument } from '../../../../../../shared/platform/http/openapi/openapi-document.ts'
import { defineRoute, signedIn } from '../../../../../../shared/platform/http/routing/define-route.ts'
import { info, document, operation, answer, json, makeThing } from '../../../../../make/builders/sample-document.ts'
import { sampleRoutes } from '../../../../../make/builders/sample-routes.ts'
import { brokenRules } from '../../../../../make/oracles/broken-rules.ts'

describe('the documentation of parameters', () => {
  it('has type, description and an example of path parameters', () => {
    const [model, id] = operation('GET /api/e/{model}/{id}').parameters ?? []
    expect(model).toEqual({
      name: 'model',
      in: 'path',
      required: true,
      description: 'Name of the table.',
      schema: { type: 'string' },
      example: 'notes',
    })
    expect(id).toMatchObject({
      name: 'id',
      in: 'path',
      required: true,
      schema: { type: 'integer', minimum: 1 },
      example: 42,
    })
  })

  it('says which query parameters are required and what their defaults are, and never null', () => {
    const query = (operation('GET /api/e/{model}').parameters ?? []).filter((parameter) => parameter.in === 'query')
    expect(query.map(({ name, required, schema }) => [name, required, schema.type, schema.default])).toEqual([
      ['page', false, 'integer', 1],
      ['per_page', false, 'integer', 25],
      ['cursor', false, 'string', undefined],
      ['sort', false, 'string', undefined],
      ['from', true, 'string', undefined],
    ])
    expect(query.find(({ name }) => name === 'sort')).toMatchObject({
      description: 'Names, with `-` before what falls.',
      example: '-id',
    })
  })

  it('includes Idempotency-Key where a route supports it, and the answer 202 where work may continue in the background', () => {
    const route = defineRoute({
      method: 'POST',
      path: '/api/things',
      tag: 'Things',
      summary: 'Make things',
      permission: signedIn,
      body: z.object({}),
      idempotent: true,
      answer: z.object({}),
      accepted: z.object({ job_id: z.int() }),
    })
    const made = openApiDocument([route], info)
    const { parameters, responses } = (made.paths['/api/things'] as { post: Operation }).post
    expect(parameters).toMatchObject([
      { name: 'Idempotency-Key', in: 'header', required: false, schema: { maxLength: 128 } },
    ])
    expect(responses['202']).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateThingsAcceptedEnvelope' } } },
    })
    expect(made.components.schemas.CreateThingsAccepted).toMatchObject({ properties: { job_id: { type: 'integer' } } })
    expect(brokenRules(made)).toEqual([])
  })

  it('includes If-Match where one record is written', () => {
    const offering = sampleRoutes
      .filter(({ key }) => operation(key).parameters?.some(({ name }) => name === 'If-Match'))
      .map(({ key }) => key)
    expect(offering).toEqual(['PATCH /api/e/{model}/{id}', 'DELETE /api/e/{model}/{id}'])
  })
})

describe('the documentation of bodies and answers', () => {
  it('shows the body with its example', () => {
    const body = operation('POST /api/login-local').requestBody
    expect(body?.required).toBe(true)
    expect(body?.content['application/json']).toEqual({
      schema: { $ref: '#/components/schemas/LoginLocalBody' },
      example: { email: 'ada@example.com', password: 'correct horse' },
    })
    expect(document.components.schemas.LoginLocalBody).toEqual({
      type: 'object',
      properties: { email: { type: 'string' }, password: { type: 'string', minLength: 8, maxLength: 128 } },
      required: ['email', 'password'],
      additionalProperties: false,
    })
  })

  it('wraps data in the envelope', () => {
    expect(json('GET /api/e/{model}/{id}')?.schema).toEqual({
      type: 'object',
      required: ['success', 'data', 'message'],
      properties: {
        success: { type: 'boolean', const: true },
        data: { $ref: '#/components/schemas/Note' },
        message: { type: 'string', const: 'OK' },
      },
    })
    expect(json('GET /api/e/{model}/{id}')?.example).toMatchObject({ success: true, data: { id: 42 }, message: 'OK' })
  })

  it('has data: null where a route answers nothing', () => {
    expect(json('POST /api/logout')?.schema.properties?.data).toEqual({ type: 'null' })
    expect(json('POST /api/logout')?.example).toEqual({ success: true, data: null, message: 'OK' })
  })

  it('wraps pages with meta and links', () => {
    const page = json('GET /api/e/{model}')
    expect(page?.schema.properties).toMatchObject({
      data: { type: 'array', items: { $ref: '#/components/schemas/Note' } },
      meta: { $ref: '#/components/schemas/PageMeta' },
      links: { $ref: '#/components/schemas/PageLinks' },
    })
    expect(page?.example).toMatchObject({
      data: [{ id: 42 }],
      meta: { current_page: 1, from: 1, to: 1, total: 1 },
      links: { first: 'https://api.example.com/api/e/notes?page=1&per_page=25', next: null },
    })
  })

  it('shows a login result at the top level and in data', () => {
    const login = json('POST /api/login-local')
    const result = { $ref: '#/components/schemas/LoginResult' }
    expect(login?.schema.required).toEqual(['success', 'data', 'message', 'token', 'user', 'tenant'])
    expect(login?.schema.properties).toMatchObject({ token: { type: 'string' }, data: result })
    expect(login?.example).toMatchObject({ success: true, token: '1|secret', data: { token: '1|secret' } })
  })

  it('leaves raw answers as they are, under their own media type', () => {
    expect(answer('GET /api/docs', '200').content).toEqual({ 'text/html': { schema: { type: 'string' } } })
  })

  it('has no content on a 204', () => {
    expect(answer('DELETE /api/e/{model}/{id}', '204').content).toBeUndefined()
  })

  it('names x-request-id on every answer and ETag on reads and writes of one record', () => {
    const tagged = sampleRoutes.filter(({ key, status }) => {
      const names = Object.keys(answer(key, String(status)).headers ?? {})
      expect(names, key).toContain('x-request-id')
      return names.includes('etag')
    })
    expect(tagged.map(({ key }) => key)).toEqual([
      'POST /api/e/{model}',
      'GET /api/e/{model}/{id}',
      'PATCH /api/e/{model}/{id}',
    ])
  })

  it.each<[string, string[]]>([
    ['POST /api/login-local', ['200', '400', '401', '403', '413', '422', '429', '500', '503']],
    ['POST /api/logout', ['200', '400', '401', '403', '413', '422', '500', '503']],
    ['GET /api/sys/users', ['200', '401', '403', '422', '500', '503']],
    ['POST /api/e/{model}', ['201', '400', '401', '403', '404', '409', '413', '422', '500', '503']],
    ['GET /api/e/{model}/{id}', ['200', '400', '401', '403', '404', '422', '500', '503']],
    ['PATCH /api/e/{model}/{id}', ['200', '400', '401', '403', '404', '409', '412', '413', '422', '500', '503']],
    ['DELETE /api/e/{model}/{id}', ['204', '400', '401', '403', '404', '409', '412', '422', '500', '503']],
    ['GET /api/docs', ['200', '422']],
  ])('lists the statuses of %s', (key, statuses) => {
    expect(Object.keys(operation(key).responses)).toEqual(statuses)
  })

  it('includes 429 where a password could be guessed', () => {
    const { paths } = openApiDocument([makeThing({ body: z.object({ current_password: z.string() }) })], info)
    expect(Object.keys(paths['/api/things']?.post?.responses ?? {})).toContain('429')
  })

  it('gives 429 its Retry-After and 412 its ETag', () => {
    const names = (name: string) => Object.keys(document.components.responses[name]?.headers ?? {})
    expect(names('TooManyRequests')).toEqual(['x-request-id', 'retry-after'])
    expect(names('PreconditionFailed')).toEqual(['x-request-id', 'etag'])
  })
})
