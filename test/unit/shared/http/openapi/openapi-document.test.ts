import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { JsonSchema, OpenApiDocument, Operation } from '../../../../../shared/http/openapi/document-types.ts'
import { openApiDocument } from '../../../../../shared/http/openapi/openapi-document.ts'
import { operationIdOf } from '../../../../../shared/http/openapi/operation-id.ts'
import { defineRoute, signedIn, type Route } from '../../../../../shared/http/routing/define-route.ts'
import { sampleRoutes } from '../../../../make/builders/sample-routes.ts'
import { brokenRules } from '../../../../make/oracles/broken-rules.ts'

const info = { version: '1.2.3', serverUrl: 'https://api.example.com' }
const document = openApiDocument(sampleRoutes, info)
const operation = (key: string): Operation => {
  const [method = '', path = ''] = key.split(' ')
  return document.paths[path]?.[method.toLowerCase()] as Operation
}
const answer = (key: string, status: string) => {
  const response = operation(key).responses[status]
  if (!response || '$ref' in response) throw new Error(`${key} has no answer ${status} of its own`)
  return response
}
const resolve = (schema: JsonSchema = {}, { components } = document): JsonSchema =>
  schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split('/').at(-1) as string] ?? {})
const json = (key: string, status = '200') => {
  const content = answer(key, status).content?.['application/json']
  return content && { ...content, schema: resolve(content.schema) }
}
const bodyOf = ({ paths, components }: OpenApiDocument, path: string): JsonSchema =>
  resolve(paths[path]?.post?.requestBody?.content['application/json']?.schema, { ...document, components })

describe('the OpenAPI document', () => {
  it('breaks no rule of OpenAPI 3.1', () => {
    expect(brokenRules(document)).toEqual([])
  })

  it('has an entry for every route and no other', () => {
    const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(entries.sort()).toEqual(sampleRoutes.map(({ key }) => key).sort())
  })

  it('is the same, byte for byte, each time it is written', () => {
    expect(JSON.stringify(openApiDocument(sampleRoutes, info))).toBe(JSON.stringify(document))
  })

  it('names the server, or / when no server URL is set', () => {
    expect(document.servers).toEqual([{ url: 'https://api.example.com' }])
    expect(openApiDocument([], { version: '1', serverUrl: '' }).servers).toEqual([{ url: '/' }])
  })

  it('requires a token everywhere but on open routes', () => {
    expect(document.security).toEqual([{ bearer: [] }])
    for (const route of sampleRoutes)
      expect(operation(route.key).security, route.key).toEqual(route.open ? [] : undefined)
  })

  it.each([
    ['POST /api/login-local', 'open', 'Open: needs no token.'],
    ['POST /api/logout', 'signed in', 'Permission: any signed-in user.'],
    ['GET /api/sys/users', 'administrator', 'Permission: administrators only.'],
    ['POST /api/e/{model}', '<table>.create', 'Permission: `<table>.create`; administrators pass.'],
  ])('says who may call %s', (key, short, sentence) => {
    expect(operation(key)['x-permission']).toBe(short)
    expect(operation(key).description.split('\n\n').at(-1)).toBe(sentence)
  })
})

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
    ['GET /api/e/{model}/{id}', ['200', '401', '403', '404', '422', '500', '503']],
    ['PATCH /api/e/{model}/{id}', ['200', '400', '401', '403', '404', '409', '412', '413', '422', '500', '503']],
    ['DELETE /api/e/{model}/{id}', ['204', '401', '403', '404', '409', '412', '422', '500', '503']],
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

describe('the documentation of schemas', () => {
  it('moves what is shared or refers to itself into the components', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['Failure', 'PageMeta', 'PageLinks', 'LoginResult', 'Note', 'PatchRecordBody0']),
    )
    expect(document.components.schemas.PatchRecordBody0?.properties?.children).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/PatchRecordBody0' },
    })
  })

  it('gives a body that refers to itself at its root a name', () => {
    const Tree = z.object({
      get kids() {
        return z.array(Tree)
      },
    })
    const { paths, components } = openApiDocument([makeThing({ body: Tree })], info)
    expect(paths['/api/things']?.post?.requestBody?.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/CreateThingBody',
    })
    expect(components.schemas.CreateThingBody?.properties?.kids).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/CreateThingBody' },
    })
  })

  it('uses the declared type where no schema can express it', () => {
    const At = z
      .preprocess((value) => value, z.date())
      .meta({ type: 'string', format: 'date-time', description: 'When.' })
    const made = openApiDocument([makeThing({ body: z.object({ at: At }) })], info)
    expect(bodyOf(made, '/api/things').properties?.at).toEqual({
      type: 'string',
      format: 'date-time',
      description: 'When.',
    })
  })

  it('allows any value where a route accepts any JSON', () => {
    const made = openApiDocument([makeThing({ body: z.object({ value: z.json(), more: z.array(z.json()) }) })], info)
    expect(bodyOf(made, '/api/things').properties).toEqual({
      value: {},
      more: { type: 'array', items: {} },
    })
    expect(Object.keys(made.components.schemas)).toEqual(['CreateThingBody', 'Failure', 'NoDataEnvelope'])
  })

  it('shares bodies and answers under the name that they are given, else under that of the operation', () => {
    const Thing = z.object({ id: z.int(), name: z.string() })
    const { paths, components } = openApiDocument([makeThing({ body: Thing, answer: z.object({ ok: z.boolean() }) })], {
      ...info,
      names: new Map([[Thing, 'Thing']]),
    })
    const { requestBody, responses } = paths['/api/things']?.post ?? {}
    expect(requestBody?.content['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Thing' })
    expect(responses?.['201']).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateThingDataEnvelope' } } },
    })
    expect(components.schemas.CreateThingData?.properties).toEqual({ ok: { type: 'boolean' } })
  })

  it('gives an object that occurs twice a name, and keeps what is said about each', () => {
    const person = () => z.object({ id: z.int(), name: z.string() })
    const { components } = openApiDocument(
      [makeThing({ body: z.object({ owner: person(), users: z.array(person()).meta({ description: 'All.' }) }) })],
      info,
    )
    expect(components.schemas.CreateThingBody?.properties).toEqual({
      owner: { $ref: '#/components/schemas/CreateThingBodyOwner' },
      users: { type: 'array', description: 'All.', items: { $ref: '#/components/schemas/CreateThingBodyOwner' } },
    })
    expect(components.schemas.CreateThingBodyOwner?.required).toEqual(['id', 'name'])
  })

  it('refuses two different schemas of one name, and two routes at one address', () => {
    const named = (schema: z.ZodType) => schema.meta({ id: 'Thing' })
    expect(() =>
      openApiDocument(
        [makeThing({ body: named(z.object({ a: z.string() })), answer: named(z.object({ b: z.string() })) })],
        info,
      ),
    ).toThrow('called Thing')
    expect(() => openApiDocument([makeThing({}), makeThing({})], info)).toThrow('createThing is taken')
  })
})

describe('the operation id', () => {
  it.each<[Route['method'], string, Partial<Route>, string]>([
    ['GET', '/api/e/{model}', { shape: 'page' }, 'listRecords'],
    ['POST', '/api/e/{model}', { status: 201 }, 'createRecord'],
    ['GET', '/api/e/{model}/{id}', {}, 'getRecord'],
    ['PUT', '/api/e/{model}/{id}', {}, 'updateRecord'],
    ['PATCH', '/api/e/{model}/{id}', {}, 'patchRecord'],
    ['DELETE', '/api/e/{model}/{id}', { status: 204 }, 'deleteRecord'],
    ['POST', '/api/e/{model}/import', {}, 'importRecords'],
    ['GET', '/api/sys/entities', {}, 'listEntities'],
    ['GET', '/api/sys/entities/name/{model}', {}, 'getEntityByName'],
    ['GET', '/api/sys/history/{model}/{id}', { shape: 'page' }, 'listHistory'],
    ['GET', '/api/user', {}, 'getCurrentUser'],
    ['GET', '/api/sys/users/{id}', {}, 'getUser'],
    ['POST', '/api/login-local', { shape: 'login' }, 'loginLocal'],
    ['POST', '/api/register', { shape: 'login', status: 201 }, 'register'],
    ['GET', '/api/join/{token}', {}, 'getJoin'],
    ['POST', '/api/join/{token}', { shape: 'login', status: 201 }, 'join'],
    ['POST', '/api/sys/deliveries/{id}/retry', {}, 'retryDelivery'],
    ['GET', '/api/openapi.json', { shape: 'raw' }, 'getOpenapiJson'],
  ])('of %s %s is made from method and path', (method, path, more, id) => {
    expect(operationIdOf({ method, path: path as Route['path'], shape: 'data', status: 200, ...more })).toBe(id)
  })
})

function makeThing(parts: { body?: z.ZodType; answer?: z.ZodType }): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/things',
    permission: signedIn,
    tag: 'Things',
    summary: 'Make',
    status: 201,
    answer: z.undefined(),
    ...parts,
  })
}

describe('brokenRules', () => {
  it.each([
    ['a reference to a missing schema', '#/components/schemas/Note', '#/components/schemas/Gone', 'which is not there'],
    ['a type that JSON Schema does not know', '"type":"integer"', '"type":"int"', 'must not have the type "int"'],
    ['an operationId used twice', '"operationId":"logout"', '"operationId":"loginLocal"', 'operationId of its own'],
    ['an undeclared path parameter', '"/api/logout"', '"/api/logout/{all}"', 'exactly the parameters of its path'],
  ])('finds %s', (_, from, to, problem) => {
    expect(brokenRules(JSON.parse(JSON.stringify(document).replaceAll(from, to))).join('\n')).toContain(problem)
  })
})
