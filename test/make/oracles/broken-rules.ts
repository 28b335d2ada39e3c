import type { OpenApiDocument } from '../../../shared/http/openapi/document-types.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']

/** The rules of OpenAPI 3.1 that this document breaks, each with its place: those that span more than one place, which no JSON Schema tells. */
export function brokenRules(document: OpenApiDocument): string[] {
  const broken: string[] = []
  const check = (holds: unknown, place: string, rule: string): void => {
    if (!holds) broken.push(`${place}: ${rule}`)
  }

  check(/^3\.1\.\d+$/.test(document.openapi), 'openapi', 'must be 3.1.x')
  check(document.info.title && document.info.version, 'info', 'must have title and version')
  const declaredTags = document.tags.map(({ name }) => name)
  check(new Set(declaredTags).size === declaredTags.length, 'tags', 'must be unique')

  const operationIds = new Set<string>()
  const templates = new Set<string>()
  for (const [path, operations] of Object.entries(document.paths)) {
    const template = path.replace(/\{\w+\}/g, '{}')
    check(path.startsWith('/'), path, 'must begin with a slash')
    check(!templates.has(template), path, 'must not differ from another path in parameter names only')
    templates.add(template)
    for (const [method, operation] of Object.entries(operations)) {
      const place = `${method} ${path}`
      check(methods.includes(method), place, 'must be a known method')
      check(
        operation.operationId.length > 0 && !operationIds.has(operation.operationId),
        place,
        'must have an operationId of its own',
      )
      check(/^[a-z][A-Za-z0-9]*$/.test(operation.operationId), place, 'must have an operationId in camelCase')
      operationIds.add(operation.operationId)
      for (const tag of operation.tags) check(declaredTags.includes(tag), place, `must declare the tag ${tag}`)

      const parameters = operation.parameters ?? []
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      const templated = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      check(
        JSON.stringify(inPath.map(({ name }) => name)) === JSON.stringify(templated),
        place,
        'must declare exactly the parameters of its path',
      )
      check(
        inPath.every(({ required }) => required),
        place,
        'must require its path parameters',
      )
      check(
        new Set(parameters.map(({ name, in: at }) => `${at} ${name}`)).size === parameters.length,
        place,
        'must have unique parameters',
      )
      for (const { name, schema } of parameters)
        check(schema.type ?? schema.$ref ?? schema.anyOf ?? schema.enum, `${place} ${name}`, 'must have a type')

      const statuses = Object.keys(operation.responses)
      check(
        statuses.some((status) => status.startsWith('2')),
        place,
        'must have a success',
      )
      check(
        statuses.every((status) => /^[1-5]\d\d$/.test(status)),
        place,
        'must have statuses of three digits',
      )
      if (method === 'get' || method === 'delete') check(!operation.requestBody, place, 'must have no body')
    }
  }

  visit(document, '', (node, place) => {
    if (typeof node.$ref === 'string')
      check(find(document, node.$ref) !== undefined, place, `must not refer to ${node.$ref}, which is not there`)
    check(
      !('$schema' in node) && !('$defs' in node) && !('definitions' in node),
      place,
      'must keep shared schemas in the components',
    )
    if (/\/schema$|\/(properties|schemas)\/[^/]+$|\/items$/.test(place)) {
      for (const type of [node.type ?? []].flat())
        check(types.includes(String(type)), place, `must not have the type ${JSON.stringify(type)}`)
      if (Array.isArray(node.required))
        check(node.required.length > 0 || node.type === 'object', place, 'must not require nothing')
    }
    if (/\/responses\/[^/]+$/.test(place) && !('$ref' in node))
      check(typeof node.description === 'string' && node.description !== '', place, 'must have a description')
  })
  for (const name of Object.keys(document.components.schemas))
    check(/^[A-Za-z0-9._-]+$/.test(name), `components/schemas/${name}`, 'must have a plain name')
  return broken
}

function visit(node: unknown, place: string, look: (node: Record<string, unknown>, place: string) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) look(node as Record<string, unknown>, place)
  for (const [key, member] of Object.entries(node)) {
    if (key !== 'example' && key !== 'examples') visit(member, `${place}/${key.replaceAll('/', '~1')}`, look)
  }
}

const find = (document: OpenApiDocument, ref: string): unknown =>
  ref.startsWith('#/')
    ? ref
        .slice(2)
        .split('/')
        .reduce<unknown>(
          (node, key) => (node as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '/')],
          document,
        )
    : undefined
