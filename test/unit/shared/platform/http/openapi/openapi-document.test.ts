import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../../../../../shared/platform/http/openapi/openapi-document.ts'
import { operationIdOf } from '../../../../../../shared/platform/http/openapi/operation-id.ts'
import { onTableEither, type Route } from '../../../../../../shared/platform/http/routing/define-route.ts'
import { info, document, operation } from '../../../../../make/builders/sample-document.ts'
import { sampleRoutes } from '../../../../../make/builders/sample-routes.ts'
import { brokenRules } from '../../../../../make/oracles/broken-rules.ts'

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

it('names both permissions of a route for which one of them suffices', () => {
  const route = {
    ...(sampleRoutes[0] as Route),
    open: undefined,
    permission: onTableEither('comment', 'comment_internal'),
  }
  const { paths } = openApiDocument([route as Route], info)
  const [written] = Object.values(Object.values(paths)[0] ?? {}) as { 'x-permission': string; description: string }[]
  expect(written?.['x-permission']).toBe('<table>.comment or <table>.comment_internal')
  expect(written?.description).toContain('Permission: `<table>.comment` or `<table>.comment_internal`;')
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
    ['GET', '/api/sys/history/{model}/{id}', { shape: 'page' }, 'listHistory'],
    ['GET', '/api/sys/users/{id}', {}, 'getUser'],
    ['POST', '/api/login-local', { shape: 'login' }, 'loginLocal'],
    ['POST', '/api/register', { shape: 'login', status: 201 }, 'register'],
    ['POST', '/api/sys/deliveries/{id}/retry', {}, 'retryDelivery'],
    ['POST', '/api/in/{token}', { operationId: 'receiveInbound' }, 'receiveInbound'],
  ])('of %s %s is made from method and path, unless the route names itself', (method, path, more, id) => {
    expect(operationIdOf({ method, path: path as Route['path'], shape: 'data', status: 200, ...more })).toBe(id)
  })
})

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
