import type { OpenApiDocument } from '../../../shared/platform/http/openapi/document-types.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']

/**
 * Deletes whose body confirms them, and the one for which the contract has a body that may be left out. Other deletes
 * have none: many clients cannot send one.
 */
const deletesWithBody: ReadonlySet<string> = new Set(['/api/tenant', '/api/user/mfa', '/api/e/{model}/{id}/watchers'])

/** The rules of OpenAPI 3.1 that this document breaks, each with its path; only rules that JSON Schema cannot check. */
export function brokenRules(document: OpenApiDocument): string[] {
  const broken: string[] = []
  const check = (holds: unknown, location: string, rule: string): void => {
    if (!holds) broken.push(`${location}: ${rule}`)
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
      const location = `${method} ${path}`
      check(methods.includes(method), location, 'must be a known method')
      check(
        operation.operationId.length > 0 && !operationIds.has(operation.operationId),
        location,
        'must have an operationId of its own',
      )
      check(/^[a-z][A-Za-z0-9]*$/.test(operation.operationId), location, 'must have an operationId in camelCase')
      operationIds.add(operation.operationId)
      for (const tag of operation.tags) check(declaredTags.includes(tag), location, `must declare the tag ${tag}`)

      const parameters = operation.parameters ?? []
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      const templated = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      check(
        JSON.stringify(inPath.map(({ name }) => name)) === JSON.stringify(templated),
        location,
        'must declare exactly the parameters of its path',
      )
      check(
        inPath.every(({ required }) => required),
        location,
        'must require its path parameters',
      )
      check(
        new Set(parameters.map(({ name, in: at }) => `${at} ${name}`)).size === parameters.length,
        location,
        'must have unique parameters',
      )
      for (const { name, schema } of parameters)
        check(schema.type ?? schema.$ref ?? schema.anyOf ?? schema.enum, `${location} ${name}`, 'must have a type')

      const statuses = Object.keys(operation.responses)
      check(
        statuses.some((status) => /^[23]/.test(status)),
        location,
        'must have a success',
      )
      check(
        statuses.every((status) => /^[1-5]\d\d$/.test(status)),
        location,
        'must have statuses of three digits',
      )
      if (method === 'get' || (method === 'delete' && !deletesWithBody.has(path)))
        check(!operation.requestBody, location, 'must have no body')
    }
  }

  visit(document, '', (node, location) => {
    if (typeof node.$ref === 'string')
      check(find(document, node.$ref) !== undefined, location, `must not refer to ${node.$ref}, which is not there`)
    check(
      !('$schema' in node) && !('$defs' in node) && !('definitions' in node),
      location,
      'must keep shared schemas in the components',
    )
    if (/\/schema$|\/(properties|schemas)\/[^/]+$|\/items$/.test(location)) {
      for (const type of [node.type ?? []].flat())
        check(types.includes(String(type)), location, `must not have the type ${JSON.stringify(type)}`)
      if (Array.isArray(node.required))
        check(node.required.length > 0 || node.type === 'object', location, 'must not require nothing')
    }
    if (/\/responses\/[^/]+$/.test(location) && !('$ref' in node))
      check(typeof node.description === 'string' && node.description !== '', location, 'must have a description')
  })
  for (const name of Object.keys(document.components.schemas))
    check(/^[A-Za-z0-9._-]+$/.test(name), `components/schemas/${name}`, 'must have a plain name')
  return broken
}

function visit(
  node: unknown,
  location: string,
  check: (node: Record<string, unknown>, location: string) => void,
): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) check(node as Record<string, unknown>, location)
  for (const [key, member] of Object.entries(node)) {
    if (key !== 'example' && key !== 'examples') visit(member, `${location}/${key.replaceAll('/', '~1')}`, check)
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
