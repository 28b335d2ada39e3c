import { schemaAt, type JsonSchema, type OpenApiDocument } from './document-types.ts'

/** Where an object without a name stands: in which shared schema, and as which member. */
interface Occurrence {
  readonly owner: string
  readonly member: string
}

/**
 * Gives objects that occur more than once in the shared schemas a name (that of the first schema and the member, such as
 * `TableDocumentTransition`) and refers to them by it, so that generated clients have one type for one thing.
 */
export function nameDuplicates(document: OpenApiDocument): OpenApiDocument {
  let schemas: Readonly<Record<string, JsonSchema>> = document.components.schemas
  for (;;) {
    const found = duplicatesIn(schemas)
    if (found.size === 0) return { ...document, components: { ...document.components, schemas: sorted(schemas) } }
    const named = new Map<string, string>()
    const taken = new Set(Object.keys(schemas))
    for (const [text, { owner, member }] of found) {
      const known = Object.entries(schemas).find(([, schema]) => textOf(schema) === text)?.[0]
      const name = known ?? freeName(`${owner}${member}`, taken)
      taken.add(name)
      named.set(text, name)
    }
    schemas = {
      ...Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, refer(schema, named, true)])),
      // What a duplicate consists of is looked at in the next round.
      ...Object.fromEntries(
        [...named]
          .filter(([, name]) => !Object.hasOwn(schemas, name))
          .map(([text, name]) => [name, JSON.parse(text) as JsonSchema]),
      ),
    }
  }
}

/** The outermost objects that occur more than once, or have a name elsewhere, by their text. */
function duplicatesIn(schemas: Readonly<Record<string, JsonSchema>>): Map<string, Occurrence> {
  const first = new Map<string, Occurrence>()
  const repeated = new Set<string>()
  const roots = new Set(Object.values(schemas).map(textOf))
  const count = (schema: JsonSchema, owner: string, member: string, isRoot: boolean): void => {
    if (isObject(schema) && !isRoot) {
      const text = textOf(schema)
      if (first.has(text) || roots.has(text)) repeated.add(text)
      if (!first.has(text)) first.set(text, { owner, member })
    }
    for (const [name, below] of membersIn(schema)) count(below, owner, name ? pascal(name) : member, false)
  }
  for (const [name, schema] of Object.entries(schemas)) count(schema, name, '', true)
  return new Map([...first].filter(([text]) => repeated.has(text)))
}

/** The schema with references in place of the named objects. */
function refer(schema: JsonSchema, named: ReadonlyMap<string, string>, isRoot = false): JsonSchema {
  const name = isRoot || !isObject(schema) ? undefined : named.get(textOf(schema))
  if (name !== undefined)
    return { ...schemaAt(name), ...(schema.description !== undefined && { description: schema.description }) }
  return mapMembers(schema, (below) => refer(below, named))
}

const isObject = (schema: JsonSchema): boolean => Object.keys(schema.properties ?? {}).length > 1

/** What makes two schemas the same: all but the description, which belongs to the member. */
function textOf({ description: _, ...schema }: JsonSchema): string {
  return JSON.stringify(schema)
}

const inLists = ['anyOf', 'oneOf', 'allOf'] as const
const alone = ['items', 'additionalProperties'] as const

/** The schemas that a schema consists of, members of objects with their name. */
const membersIn = (schema: JsonSchema): [string | undefined, JsonSchema][] => [
  ...Object.entries(schema.properties ?? {}),
  ...inLists.flatMap((keyword) => (schema[keyword] ?? []).map((below): [undefined, JsonSchema] => [undefined, below])),
  ...alone.flatMap((keyword): [undefined, JsonSchema][] =>
    typeof schema[keyword] === 'object' ? [[undefined, schema[keyword] as JsonSchema]] : [],
  ),
]

function mapMembers(schema: JsonSchema, change: (below: JsonSchema) => JsonSchema): JsonSchema {
  const mapped: Record<string, unknown> = { ...schema }
  if (schema.properties)
    mapped.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, below]) => [name, change(below)]),
    )
  for (const keyword of inLists) if (schema[keyword]) mapped[keyword] = schema[keyword].map(change)
  for (const keyword of alone)
    if (typeof schema[keyword] === 'object') mapped[keyword] = change(schema[keyword] as JsonSchema)
  return mapped
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}${number}`
    if (!taken.has(name)) return name
  }
}

const pascal = (name: string): string =>
  name
    .replaceAll(/(?:^|[^A-Za-z0-9])([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    .replace(/ies$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/([^s])s$/, '$1')

const sorted = (schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)))
