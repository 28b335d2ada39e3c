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
export const Field = z
  .strictObject({
    name,
    label,
    description,
    type: z.enum(fieldTypes),
    ...others,
    ...propertiesOfAnyType(),
  })
  .meta({ shownAs: fieldUnion }) as unknown as z.ZodType<Field, Field>

/** A property that types declare differently takes what any of them takes; `checkTable` says what the type of a field takes. */
function propertiesOfAnyType(): z.ZodRawShape {
  const all = declarations.flatMap(([, { properties }]) => Object.entries(properties))
  return Object.fromEntries(
    [...Map.groupBy(all, ([property]) => property)].map(([property, declared]) => {
      const [schema, ...further] = new Set(declared.map(([, one]) => one))
      return [property, further.length === 0 ? schema : z.union([schema as z.ZodType, ...(further as z.ZodType[])])]
    }),
  ) as z.ZodRawShape
}

/** Types with the same properties, by name and by schema, share a member of the union. */
function fieldUnion(): z.ZodType {
  const { unique, ...rest } = others
  // The writer of the reference takes no schema that refers to itself, as that of any JSON does.
  const shared = { ...rest, default: z.unknown().optional() }
  const schemas = [...new Set(declarations.flatMap(([, { properties }]) => Object.values(properties)))]
  const groups = Map.groupBy(declarations, ([, { properties, mayBeUnique }]) =>
    [...Object.entries(properties).map(([property, one]) => [property, schemas.indexOf(one)]), mayBeUnique].join(),
  )
  return z.union(
    [...groups.values()].map((group) => {
      const [[, { properties, mayBeUnique }]] = group as [(typeof group)[number]]
      const type = z.enum(group.map(([one]) => one))
      return z
        .strictObject({ name, label, description, type, ...shared, ...(mayBeUnique && { unique }), ...properties })
        .meta({ description: group.map(([one, { description: what }]) => `\`${one}\`: ${what}`).join('\n') })
    }),
  )
}

/** The types that forms of tasks may show. */
export const formFieldTypes = declarations.flatMap(([type, { inForms }]) => (inForms === undefined ? [] : [type]))
