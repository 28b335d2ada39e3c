import * as z from 'zod'
import { commonProperties, type AnyFieldType } from './declaration.ts'
import { registry } from './registry.ts'

export { Label, Name } from './declaration.ts'

type Registry = typeof registry

/** The names of the field types. */
export type FieldType = keyof Registry
export const fieldTypes = Object.keys(registry) as readonly FieldType[]

/** A field of a table: what all have in common, and what belongs to its type. */
export type Field = {
  [Type in FieldType]: Registry[Type] extends { readonly properties: infer Own extends z.ZodRawShape }
    ? z.output<z.ZodObject<typeof commonProperties & Own>> & { type: Type }
    : never
}[FieldType]

const declarations = Object.entries(registry) as readonly (readonly [FieldType, AnyFieldType])[]
const { name, label, description, ...others } = commonProperties

/**
 * Takes the properties of every type: `checkTable` says in the author's words which one does not belong. The reference
 * shows a union instead, in which each type has only its own.
 */
const AnyTypeField = z.strictObject({
  name,
  label,
  description,
  type: z.enum(fieldTypes),
  ...others,
  ...(Object.assign({}, ...declarations.map(([, { properties }]) => properties)) as z.ZodRawShape),
})
AnyTypeField._zod.toJSONSchema = fieldUnion
export const Field = AnyTypeField as unknown as z.ZodType<Field, Field>

/** Types with the same properties share a member of the union. */
function fieldUnion(): object {
  const groups = Map.groupBy(declarations, ([, { properties, mayBeUnique }]) =>
    [...Object.keys(properties), mayBeUnique].join(),
  )
  const members = [...groups.values()].map((group) => {
    const [[, { properties, mayBeUnique }]] = group as [(typeof group)[number]]
    const { unique, ...shared } = others
    return z
      .strictObject({
        name,
        label,
        description,
        type: z.enum(group.map(([type]) => type)),
        ...shared,
        ...(mayBeUnique && { unique }),
        default: z.unknown().optional(),
        ...properties,
      })
      .meta({ description: group.map(([type, { description: what }]) => `\`${type}\`: ${what}`).join('\n') })
  })
  const { $schema: _, ...schema } = z.toJSONSchema(z.union(members), { target: 'draft-2020-12', io: 'input' })
  return schema
}

/** The types that forms of tasks may show. */
export const formFieldTypes = declarations.flatMap(([type, { inForms }]) => (inForms === undefined ? [] : [type]))
