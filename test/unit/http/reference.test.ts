import { describe, expect, it } from 'vitest'
import { allRoutes } from '../../../functions/reference/all-routes.ts'
import { deployedFunctions } from '../../../infra/functions.ts'
import { docsPage } from '../../../shared/http/docs-page.ts'
import { openApiDocument } from '../../../shared/http/openapi.ts'
import type { JsonSchema, OpenApiDocument } from '../../../shared/http/openapi-document.ts'
import { brokenRules } from '../../make/openapi-rules.ts'
import { notYet, ourChoice, specifiedEndpoints } from '../../make/specified-endpoints.ts'

const reference = openApiDocument(allRoutes, { version: '1.2.3', serverUrl: 'http://localhost:3000' })
const page = docsPage(reference)
const operations = Object.entries(reference.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ key: `${method.toUpperCase()} ${path}`, operation })),
)
const later = Object.values(notYet).flat()
const routeKeys = allRoutes.map(({ key }) => key)

describe('the endpoints of the specification', () => {
  it.each(specifiedEndpoints)('%s has a route, or a reason why it has none yet', (key) => {
    expect(routeKeys.includes(key)).toBe(!later.includes(key))
  })

  it('are all that is put off', () => {
    expect(later.filter((key) => !specifiedEndpoints.includes(key))).toEqual([])
    expect(new Set(later).size).toBe(later.length)
  })

  it('our choice: these endpoints are added, and no others', () => {
    expect(routeKeys.filter((key) => !specifiedEndpoints.includes(key)).sort()).toEqual([...ourChoice].sort())
  })
})

describe('the reference of this service', () => {
  it('has an entry for every route that is deployed, and none besides', () => {
    const deployed = deployedFunctions.flatMap(({ trigger }) => (trigger.kind === 'routes' ? trigger.routes.map(({ key }) => key) : []))
    expect(routeKeys.toSorted()).toEqual(deployed.toSorted())
    expect(operations.map(({ key }) => key).sort()).toEqual(deployed.toSorted())
  })

  it('keeps the rules of OpenAPI 3.1', () => {
    expect(brokenRules(reference)).toEqual([])
  })

  it('describes every section it has', () => {
    expect(reference.tags.filter(({ description }) => !description)).toEqual([])
  })

  it.each(operations)('shows $key on the page, with an example of what is sent and what comes back', ({ operation }) => {
    expect(page).toContain(`id="${operation.operationId}"`)
    const [, response] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
    const answers = response && 'content' in response ? Object.values(response.content ?? {}) : []
    const sent = Object.values(operation.requestBody?.content ?? {})
    expect([...sent, ...answers].flatMap(({ schema, example }) => misfits(reference, schema, example))).toEqual([])
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/)
  })
})

/** Where a value does not have the type, the members or the choices that its schema asks for. */
function misfits(document: OpenApiDocument, schema: JsonSchema, value: unknown, path = 'example'): string[] {
  const known = (schema.$ref && document.components.schemas[schema.$ref.replace('#/components/schemas/', '')]) || schema
  if (known.allOf) return known.allOf.flatMap((part) => misfits(document, part, value, path))
  const variants = known.anyOf ?? known.oneOf
  if (variants) return variants.some((variant) => misfits(document, variant, value, path).length === 0) ? [] : [`${path} fits no variant`]
  const types = [known.type ?? []].flat()
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) return [`${path} is not ${types.join(' or ')}`]
  if (known.enum && !known.enum.includes(value)) return [`${path} is not one of ${known.enum.join(', ')}`]
  if (known.const !== undefined && known.const !== value) return [`${path} is not ${known.const}`]
  if (Array.isArray(value)) return value.flatMap((item, index) => (known.items ? misfits(document, known.items, item, `${path}.${index}`) : []))
  if (typeof value !== 'object' || value === null) return []
  const missing = (known.required ?? []).filter((name) => !(name in value)).map((name) => `${path}.${name} is missing`)
  const members = Object.entries(value).flatMap(([name, member]) => {
    const declared = known.properties?.[name]
    if (declared) return misfits(document, declared, member, `${path}.${name}`)
    return known.additionalProperties === false ? [`${path}.${name} is unknown`] : []
  })
  return [...missing, ...members]
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}
