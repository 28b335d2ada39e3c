import * as z from 'zod'
import { schemaAt, type JsonSchema } from './document-types.ts'

/** Writes zod schemas as JSON Schema and collects shared schemas, so that references point into the document. */
export interface SchemaWriter {
  /** `name` becomes the name of a schema that refers to itself. */
  write(schema: z.ZodType, name: string): JsonSchema
  /** The same, but an object without a name of its own is shared as `name`, or as an equal one that is shared already. */
  writeNamed(schema: z.ZodType, name: string): JsonSchema
  /** Shares a schema as `name`, or as an equal one that is shared already. Only objects and unions are shared. */
  share(schema: JsonSchema, name: string): JsonSchema
  /** What a reference to a shared schema stands for; any other schema as it is. */
  resolve(schema: JsonSchema): JsonSchema
  /** The shared schemas written so far, by name. */
  shared(): Record<string, JsonSchema>
}

/** Recognizes what `z.json()` writes for any value. An empty schema means the same. */
const isAnyValue = (written: JsonSchema): boolean => {
  const kinds = written.anyOf?.map(({ type }) => type).join(' ')
  return kinds === 'string number boolean null array object' && written.anyOf?.[4]?.items?.$ref !== undefined
}

/**
 * Creates the schema writer of one document. `names`: schemas that are shared under these names, besides those with an
 * id. A schema whose metadata says `shownAs` is written as that one. Throws when two different schemas have the same
 * name.
 */
export function schemaWriter(names: ReadonlyMap<z.ZodType, string> = new Map()): SchemaWriter {
  const shared = new Map<string, JsonSchema>()
  const metadata = namedBy(names)

  function share(name: string, schema: JsonSchema): void {
    const known = shared.get(name)
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two different schemas are called ${name}`)
    shared.set(name, schema)
  }

  function shareEqual(schema: JsonSchema, name: string): JsonSchema {
    if (!isShareable(schema))
      return schema.items ? { ...schema, items: shareEqual(schema.items, `${name}Row`) } : schema
    const text = JSON.stringify(schema)
    for (const [known, written] of shared) if (JSON.stringify(written) === text) return schemaAt(known)
    share(name, schema)
    return schemaAt(name)
  }

  const writer: SchemaWriter = {
    write(schema, name) {
      const { $schema: _, $defs = {}, ...root } = toJson(schema, metadata)
      // zod names schemas without an id __schema0, __schema1, ... and restarts for each schema.
      const nameOf = (def: string): string =>
        def.startsWith('__schema') ? `${name}${def.slice('__schema'.length)}` : def
      const anyValues = new Set(
        Object.entries($defs).flatMap(([def, written]) =>
          isAnyValue(written as JsonSchema) ? [`#/$defs/${def}`] : [],
        ),
      )
      const relocate = (ref: string): string | undefined =>
        anyValues.has(ref)
          ? undefined
          : ref === '#'
            ? schemaAt(name).$ref
            : ref.startsWith('#/$defs/')
              ? schemaAt(nameOf(ref.slice('#/$defs/'.length))).$ref
              : ref
      for (const [def, written] of Object.entries($defs)) {
        if (!anyValues.has(`#/$defs/${def}`)) share(nameOf(def), readable(written as JsonSchema, relocate))
      }
      const own = readable(root as JsonSchema, relocate)
      if (!JSON.stringify(root).includes('"$ref":"#"')) return own
      share(name, own)
      return schemaAt(name)
    },
    writeNamed: (schema, name) => shareEqual(writer.write(schema, name), name),
    share: shareEqual,
    resolve: (schema) => shared.get(schema.$ref?.split('/').at(-1) ?? '') ?? schema,
    shared: () => Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
  return writer
}

const toJson = (schema: z.ZodType, metadata?: typeof z.globalRegistry) =>
  z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    ...(metadata && { metadata }),
    override({ zodSchema, jsonSchema }) {
      const shownAs = z.globalRegistry.get(zodSchema)?.shownAs as (() => z.ZodType) | undefined
      if (!shownAs) return
      for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword]
      const { $schema: _, ...shown } = toJson(shownAs())
      Object.assign(jsonSchema, shown)
    },
  })

const isShareable = (schema: JsonSchema): boolean =>
  (schema.properties ?? schema.anyOf ?? schema.oneOf ?? schema.allOf) !== undefined

/** The metadata of schemas, with the given names as ids. zod writes a schema with an id once, and refers to it. */
function namedBy(names: ReadonlyMap<z.ZodType, string>): typeof z.globalRegistry {
  const get = (schema: z.ZodType) => {
    const name = names.get(schema)
    const meta = z.globalRegistry.get(schema)
    return name === undefined ? meta : { ...meta, id: name }
  }
  return { get, has: (schema: z.ZodType) => get(schema) !== undefined } as unknown as typeof z.globalRegistry
}

/** Keywords whose value is an object of schemas by name. */
const byName = new Set(['properties', 'patternProperties', 'dependentSchemas'])
/** Keywords whose value is no schema. */
const literal = new Set(['type', 'const', 'enum', 'default', 'examples', 'example', 'required'])

/** Copies a schema: relocates its references, drops those to any value, and leaves out keywords that say nothing. */
function readable(schema: JsonSchema, relocate: (ref: string) => string | undefined): JsonSchema {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword === '$ref') {
      const target = relocate(value as string)
      return target === undefined ? [] : [[keyword, target]]
    }
    if (keyword === 'id' || isNoise(keyword, value, schema)) return []
    if (literal.has(keyword) || typeof value !== 'object' || value === null) return [[keyword, value]]
    if (byName.has(keyword)) {
      return [
        [
          keyword,
          Object.fromEntries(
            Object.entries(value).map(([name, member]) => [name, readable(member as JsonSchema, relocate)]),
          ),
        ],
      ]
    }
    if (Array.isArray(value)) return [[keyword, value.map((member) => readable(member as JsonSchema, relocate))]]
    return [[keyword, readable(value as JsonSchema, relocate)]]
  })
  return nullableType(Object.fromEntries(entries))
}

function isNoise(keyword: string, value: unknown, schema: JsonSchema): boolean {
  switch (keyword) {
    case 'minimum':
      return value === Number.MIN_SAFE_INTEGER
    case 'maximum':
      return value === Number.MAX_SAFE_INTEGER
    // A format says more than its pattern, and the pattern of an integer describes its digits only.
    case 'pattern':
      return schema.format !== undefined || schema.type === 'integer'
    case 'propertyNames':
      return JSON.stringify(value) === '{"type":"string"}'
    default:
      return false
  }
}

/** Shortens `anyOf` of a simple type and null to `type: [<type>, null]`. */
function nullableType(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  const [first, second, ...more] = anyOf ?? []
  if (
    !first ||
    second?.type !== 'null' ||
    more.length > 0 ||
    typeof first.type !== 'string' ||
    first.enum ||
    first.const !== undefined
  )
    return schema
  return { ...first, ...rest, type: [first.type, 'null'] }
}

/** The members of an object schema, also when the schema is wrapped in transforms or defaults. */
export function membersOf(schema: z.ZodType): Record<string, z.ZodType> {
  const def = schema.def as unknown as {
    type: string
    shape?: Record<string, z.ZodType>
    in?: z.ZodType
    innerType?: z.ZodType
    out?: z.ZodType
  }
  if (def.shape) return def.shape
  const inner = def.innerType ?? [def.in, def.out].find((side) => side !== undefined && side.def.type !== 'transform')
  return inner ? membersOf(inner) : {}
}
