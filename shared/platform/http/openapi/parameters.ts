import { type Route, takesIfMatch } from '../routing/define-route.ts'
import type { JsonSchema, Parameter } from './document-types.ts'
import { membersOf, type SchemaWriter } from './schema-writer.ts'

const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of what you read, which is its `version` in quotes. If it has changed since, nothing is written and the answer is 412.',
  schema: { type: 'string' },
}

const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of your last answer. If nothing has changed since, the answer is 304 without a body.',
  schema: { type: 'string' },
}

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique value of your choice, for example a UUID. For 24 hours, a request with the same key gets the first answer again and stores nothing twice. The same key with another body is refused (422).',
  schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[!-~]+$' },
}

/** Path, query and header parameters of a route, in this order. */
export function parametersOf(route: Route, operationId: string, writer: SchemaWriter): Parameter[] {
  return [
    ...pathNames(route.path).map((name) => pathParameter(route, name, operationId, writer)),
    ...queryParameters(route, operationId, writer),
    ...(takesIfMatch(route) ? [ifMatch] : []),
    ...(route.hasEtag ? [ifNoneMatch] : []),
    ...(route.idempotent ? [idempotencyKey] : []),
  ]
}

export const pathNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

/**
 * The example value of a path parameter: the one of the route's example, else 1 for ids and the name itself for others.
 */
export const exampleOf = (route: Route, name: string): string | number =>
  route.example?.params?.[name] ?? (/(^|_)id$/.test(name) ? 1 : name)

function pathParameter(route: Route, name: string, operationId: string, writer: SchemaWriter): Parameter {
  const declared = route.params && membersOf(route.params)[name]
  const { description, ...schema } = declared
    ? writer.write(declared, `${operationId}-${name}`)
    : ({ type: 'string' } as JsonSchema)
  return {
    name,
    in: 'path',
    required: true,
    ...(description && { description }),
    schema: schema as JsonSchema,
    example: exampleOf(route, name),
  }
}

function queryParameters(route: Route, operationId: string, writer: SchemaWriter): Parameter[] {
  if (!route.query) return []
  return Object.entries(membersOf(route.query)).map(([name, declared]) => {
    const { description, ...schema } = withoutNull(writer.write(declared, `${operationId}-${name}`))
    const isList = schema.type === 'array'
    const absent = declared.safeParse(undefined)
    const standIn = absent.success && absent.data !== undefined && absent.data !== null ? { default: absent.data } : {}
    const example = route.example?.query?.[name]
    return {
      name,
      in: 'query',
      required: !absent.success,
      ...(description && { description }),
      // Lists are comma-separated.
      ...(isList && { style: 'form', explode: false }),
      schema: { ...schema, ...standIn } as JsonSchema,
      ...(example !== undefined && { example: isList ? String(example).split(',') : example }),
    }
  })
}

/** A query string has no null, and of a boolean the words for it are no values. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { enum: words, ...rest } = schema
  if (schema.type === 'boolean' && words) return rest
  return Array.isArray(schema.type) ? { ...schema, type: schema.type.find((type) => type !== 'null') } : schema
}
