import type { JsonSchema, OpenApiDocument } from '../../../shared/platform/http/openapi/document-types.ts'

/** What a request may contain: the names of parameters in path and query, and of every member of the body. */
export interface RouteMembers {
  readonly path: readonly string[]
  readonly query: readonly string[]
  /** Members of the body itself; undefined when it takes any. */
  readonly body: readonly string[] | undefined
  /** Members at any depth. */
  readonly inBody: readonly string[]
}

/** By `METHOD /path`, from the OpenAPI document of the service, which has every route. */
export function routeMembers(document: OpenApiDocument): Map<string, RouteMembers> {
  const found = new Map<string, RouteMembers>()
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
      const schema = requestBody?.content['application/json']?.schema
      const named = (location: string) => parameters.filter(({ in: at }) => at === location).map(({ name }) => name)
      const inBody = schema ? membersIn(document, schema) : []
      const own = schema ? ownMembers(document, schema) : []
      found.set(`${method.toUpperCase()} ${path}`, {
        path: named('path'),
        query: named('query'),
        body: schema && own.length === 0 ? undefined : own,
        inBody,
      })
    }
  }
  return found
}

const resolved = (document: OpenApiDocument, schema: JsonSchema): JsonSchema =>
  (schema.$ref && document.components.schemas[schema.$ref.split('/').at(-1) as string]) || schema
const variantsOf = ({ anyOf = [], oneOf = [], allOf = [] }: JsonSchema): readonly JsonSchema[] => [
  ...anyOf,
  ...oneOf,
  ...allOf,
]

function ownMembers(document: OpenApiDocument, given: JsonSchema): string[] {
  const schema = resolved(document, given)
  return [
    ...Object.keys(schema.properties ?? {}),
    ...variantsOf(schema).flatMap((variant) => ownMembers(document, variant)),
  ]
}

function membersIn(document: OpenApiDocument, given: JsonSchema, seen: ReadonlySet<string> = new Set()): string[] {
  if (given.$ref && seen.has(given.$ref)) return []
  const schema = resolved(document, given)
  const known = given.$ref ? new Set([...seen, given.$ref]) : seen
  const below = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...variantsOf(schema),
  ]
  return [
    ...new Set([
      ...Object.keys(schema.properties ?? {}),
      ...below.flatMap((member) => membersIn(document, member, known)),
    ]),
  ]
}
