import * as z from 'zod'
import { own } from '../../../kernel/collections/own-members.ts'

/**
 * How a text names tables: it is the name (or several with commas), begins with it (`requests.read`, `requests.Urgent`), or
 * has it as the second step of the path of an object (`tables.requests`).
 */
export type Naming = 'name' | 'head' | 'path'

/** Where a value names tables. */
export interface NamePositions {
  readonly naming?: Naming
  readonly members?: ReadonlyMap<string, NamePositions>
  /** Of the elements of a list. */
  readonly items?: NamePositions
  /** Of the values of a record with any keys. */
  readonly values?: NamePositions
  /** How the keys of a record name tables. */
  readonly keys?: Naming
}

const name: NamePositions = { naming: 'name' }
const inDocument: NamePositions = {
  members: new Map([
    ['model', name],
    ['table', name],
    ['target_table', name],
  ]),
}

/** What an entry of a timeline tells is of many kinds: a message, a delivery, a step. */
const inTimeline: NamePositions = {
  members: new Map([
    ['model', name],
    ['source', inDocument],
    ['reply_to', inDocument],
    ['task', inDocument],
    ['incident', inDocument],
    ['records', { items: inDocument }],
  ]),
}

/** What members of these names hold, in any body, query, path or answer. A test lists every place where they stand. */
const byMember: Readonly<Record<string, NamePositions>> = {
  model: name,
  model_class: name,
  table: name,
  tables: name,
  table_name: name,
  sys_table_id: name,
  l_table: name,
  r_table: name,
  target_table: name,
  target_model: name,
  FOLLOW_TABLES: name,
  permissions: { naming: 'head' },
  /** The objects of a configuration that changed. */
  created: { naming: 'path' },
  changed: { naming: 'path' },
  differences: { keys: 'path' },
}

/** Members whose values have no schema of their own, yet name tables. */
const withoutSchema: Readonly<Record<string, NamePositions>> = {
  settings: inDocument,
  written: { items: inDocument },
  sent: { items: inDocument },
}

/** Where the documents of configured objects name tables, as the trail tells their changes. */
export const documentPositions: NamePositions = {
  members: new Map<string, NamePositions>([
    ...Object.entries(byMember),
    ['targetModel', name],
    ['rules', { items: inDocument }],
    ['fields', { keys: 'name' }],
    ['table_fields', { items: inDocument }],
  ]),
}

const found = new WeakMap<z.core.$ZodType, NamePositions | null>()

/** Where values of a schema name tables; undefined when they never do. */
export function namePositions(schema: z.core.$ZodType): NamePositions | undefined {
  const known = found.get(schema)
  if (known !== undefined) return known ?? undefined
  // A schema within itself names tables where it first does.
  found.set(schema, null)
  const positions = read(schema)
  found.set(schema, positions ?? null)
  return positions
}

function read(schema: z.core.$ZodType): NamePositions | undefined {
  if (schema instanceof z.ZodObject) return ofObject(schema)
  if (schema instanceof z.ZodArray) {
    const items = namePositions(schema.element)
    return items && { items }
  }
  if (schema instanceof z.ZodRecord) {
    const values = namePositions(schema.valueType)
    return values && { values }
  }
  if (schema instanceof z.ZodUnion) return schema.options.map((one) => namePositions(one)).reduce(joined, undefined)
  if (schema instanceof z.ZodIntersection)
    return joined(namePositions(schema.def.left), namePositions(schema.def.right))
  if (schema instanceof z.ZodPipe) return joined(namePositions(schema.def.in), namePositions(schema.def.out))
  if (schema instanceof z.ZodLazy) return namePositions(schema.unwrap())
  const inner = (schema._zod.def as { readonly innerType?: z.core.$ZodType }).innerType
  return inner && namePositions(inner)
}

function ofObject({ shape }: z.ZodObject): NamePositions | undefined {
  const members = new Map<string, NamePositions>()
  for (const [member, schema] of Object.entries(shape)) {
    const positions = joined(own(byMember, member), joined(ofMember(member, shape), namePositions(schema)))
    if (positions) members.set(member, positions)
  }
  return members.size === 0 ? undefined : { members }
}

/** What a member names because of the object that it is in, or though its schema does not say so. */
function ofMember(member: string, shape: Readonly<Record<string, z.core.$ZodType>>): NamePositions | undefined {
  if (member === 'name') return nameOf(shape)
  // The id of an entry of the trail begins with the table.
  if (member === 'id' && shape.model && shape.action && shape.record_id) return { naming: 'head' }
  if (member === 'data' && shape.summary && shape.is_shortened) return inTimeline
  if (member === 'fields' && unwrapped(shape.fields) instanceof z.ZodRecord) return { keys: 'name' }
  return own(withoutSchema, member)
}

/** The name of a table in its document, and that of a shared view in the configuration. */
function nameOf(shape: Readonly<Record<string, unknown>>): NamePositions | undefined {
  if (shape.table_fields || shape.fields_count) return name
  return shape.columns && shape.group_by && !shape.model ? { naming: 'head' } : undefined
}

function unwrapped(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  const inner = (schema?._zod.def as { readonly innerType?: z.core.$ZodType } | undefined)?.innerType
  return inner ? unwrapped(inner) : schema
}

function joined(one: NamePositions | undefined, other: NamePositions | undefined): NamePositions | undefined {
  if (!one || !other || one === other) return one ?? other
  const members = new Map(one.members)
  for (const [member, positions] of other.members ?? [])
    members.set(member, joined(members.get(member), positions) as NamePositions)
  const items = joined(one.items, other.items)
  const values = joined(one.values, other.values)
  const naming = one.naming ?? other.naming
  const keys = one.keys ?? other.keys
  return {
    ...(naming && { naming }),
    ...(members.size > 0 && { members }),
    ...(items && { items }),
    ...(values && { values }),
    ...(keys && { keys }),
  }
}
