import { byName } from '../../kernel/collections/own-members.ts'
import {
  schemaAt,
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Reference,
} from '../../platform/http/openapi/document-types.ts'
import { exampleChanges, exampleInput } from './example-bodies.ts'
import type { TypedTable } from './typed-tables.ts'

/** How a generic operation becomes that of a table. `name` is what the table's schemas are called. */
interface TypedOperation {
  readonly action: keyof TypedTable['allowed']
  /** The suffix of the body's schema; left out: as in the generic operation. */
  readonly body?: string
  /** A body for the table. Readers try it out as it is. */
  readonly example?: (typed: TypedTable) => object
  /** The suffix of the answer's schema; left out: as in the generic operation. */
  readonly answer?: string
}

/** The operations on records that have types of their own, by method and path. */
const typedOperations: Readonly<Record<string, TypedOperation>> = {
  'get /api/e/{model}': { action: 'read', answer: 'Page' },
  'post /api/e/{model}': { action: 'create', body: 'Input', answer: 'Envelope', example: newRecord },
  'post /api/e/{model}/list-server': { action: 'read', body: 'Query', answer: 'Rows', example: firstPage },
  'post /api/e/{model}/import': {
    action: 'create',
    body: 'Import',
    example: (typed) => ({ rows: [newRecord(typed)] }),
  },
  'post /api/e/{model}/import-file': { action: 'create' },
  'get /api/e/{model}/import-file/preview': { action: 'create' },
  'get /api/e/{model}/export': { action: 'read' },
  'post /api/e/{model}/export': { action: 'read', example: () => ({ format: 'csv', sort: ['-id'] }) },
  'get /api/e/{model}/form': { action: 'read' },
  'get /api/e/{model}/revision': { action: 'read' },
  'post /api/e/{model}/bulk': {
    action: 'update',
    example: (typed) => ({ filter: { id: { _gt: 0 } }, set: changedRecord(typed), dry_run: true }),
  },
  'get /api/e/{model}/{id}': { action: 'read', answer: 'Envelope' },
  'put /api/e/{model}/{id}': { action: 'update', body: 'Changes', answer: 'Envelope', example: changedRecord },
  'patch /api/e/{model}/{id}': { action: 'update', body: 'Changes', answer: 'Envelope', example: changedRecord },
  'delete /api/e/{model}/{id}': { action: 'delete' },
  'post /api/e/{model}/{id}/restore': {
    action: 'update',
    answer: 'Restored',
    example: () => ({ as_of: '2026-11-20T07:17:30Z' }),
  },
  'get /api/sys/history/{model}/{id}': { action: 'read' },
}

function newRecord({ creatable }: TypedTable): object {
  return exampleInput(creatable)
}
function changedRecord({ updatable }: TypedTable): object {
  return exampleChanges(updatable)
}
function firstPage(): object {
  return { page: 1, per_page: 25, sort: ['-id'] }
}

type Paths = Record<string, Record<string, Operation>>

/** The operations of one table, and the parameters that they share with other tables. */
export function tablePaths(generic: OpenApiDocument, typed: TypedTable): { paths: Paths; parameters: Paths[string] } {
  const paths: Paths = byName()
  const parameters: Record<string, Parameter> = byName()
  for (const [key, how] of Object.entries(typedOperations)) {
    if (!typed.allowed[how.action]) continue
    const [method = '', path = ''] = key.split(' ')
    const operation = generic.paths[path]?.[method]
    if (!operation) throw new Error(`${key} is not in the document`)
    const own = path.replace('{model}', typed.table.name)
    const shared = sharedParameters(operation)
    Object.assign(parameters, Object.fromEntries(shared.map(({ name, parameter }) => [name, parameter])))
    const methods = paths[own] ?? byName<Operation>()
    paths[own] = methods
    methods[method] = {
      operationId: operation.operationId.replace(/Record|History|Query/, `${typed.name}$&`),
      tags: [typed.table.name],
      summary: operation.summary,
      description: `As \`${method.toUpperCase()} ${path}\`, for the table \`${typed.table.name}\`.`,
      'x-permission': operation['x-permission'].replace('<table>', typed.table.name),
      parameters: [
        ...shared.map(({ name }): Reference => ({ $ref: `#/components/parameters/${name}` })),
        ...listParameters(operation, typed),
      ] as never,
      ...(operation.requestBody && {
        requestBody: {
          required: true,
          content: json(
            how.body ? schemaAt(typed.name + how.body) : schemaOf(operation.requestBody.content),
            how.example?.(typed),
          ),
        },
      }),
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          '$ref' in response
            ? response
            : {
                ...response,
                ...(response.content && {
                  content:
                    how.answer && status.startsWith('20') && status !== '202'
                      ? json(schemaAt(typed.name + how.answer))
                      : withoutExample({ content: response.content }).content,
                }),
              },
        ]),
      ),
    }
  }
  return { paths, parameters: parameters as never }
}

const json = (schema: JsonSchema, example?: object) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})

const schemaOf = (content: NonNullable<Operation['requestBody']>['content']): JsonSchema =>
  content['application/json']?.schema ?? {}

/** Examples name a table of the demo. */
const withoutExample = <T extends { readonly content?: Operation['responses'] | object }>(part: T): T => ({
  ...part,
  content: Object.fromEntries(
    Object.entries(part.content ?? {}).map(([type, { schema }]: [string, { schema?: JsonSchema }]) => [
      type,
      { schema },
    ]),
  ),
})

/** Parameters of lists that name fields of the table. */
const perTable: ReadonlySet<string> = new Set(['sort', 'fields', 'expand', 'filter'])

const listParameters = (operation: Operation, { name: table }: TypedTable): object[] =>
  (operation.parameters ?? [])
    .filter(({ in: at, name }) => at === 'query' && perTable.has(name))
    .map(({ name, description }) => ({
      name,
      in: 'query',
      required: false,
      description,
      ...(name === 'filter'
        ? { content: json(schemaAt(`${table}Filter`)) }
        : { style: 'form', explode: false, schema: { type: 'array', items: itemOf(name, table) } }),
    }))

const itemOf = (parameter: string, table: string): JsonSchema =>
  parameter === 'sort'
    ? schemaAt(`${table}Sort`)
    : parameter === 'expand'
      ? schemaAt(`${table}Reference`)
      : { anyOf: [schemaAt(`${table}Name`), { const: '*' }] }

/** All other parameters but the table, with the name under which the operations of all tables share them. */
const sharedParameters = (operation: Operation): { name: string; parameter: Parameter }[] =>
  (operation.parameters ?? [])
    .filter(({ in: at, name }) => name !== 'model' && !(at === 'query' && perTable.has(name)))
    .map((parameter) => ({ name: `${operation.operationId}.${parameter.name}`, parameter }))

/** Whether an operation of the generic document has typed ones beside it. */
export const isTyped = (method: string, path: string): boolean => Object.hasOwn(typedOperations, `${method} ${path}`)
