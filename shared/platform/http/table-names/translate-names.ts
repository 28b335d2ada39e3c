import type * as z from 'zod'
import { type NamesTables, publicTable, storedTable } from '../../../kernel/table-names.ts'
import { documentPositions, type NamePositions, type Naming, namePositions } from './name-positions.ts'

type Rename = (name: string) => string

/** What a request gives, with the stored names of tables. `schema`: of the value. */
export const withStoredNames = <T>(tenant: NamesTables | undefined, schema: z.ZodType | undefined, value: T): T =>
  translated(tenant, schema, value, (name) => storedTable(tenant as NamesTables, name))

/** What is answered, with the names that tables have. `schema`: of the value. */
export const withTableNames = <T>(tenant: NamesTables | undefined, schema: z.ZodType | undefined, value: T): T =>
  translated(tenant, schema, value, (name) => publicTable(tenant as NamesTables, name))

/** A document of the configuration, of any kind, with the names that tables have. */
export const documentWithTableNames = (tenant: NamesTables, document: object): object =>
  tenant.renamedTables
    ? (renamed(document, documentPositions, (name) => publicTable(tenant, name)) as object)
    : document

function translated<T>(tenant: NamesTables | undefined, schema: z.ZodType | undefined, value: T, rename: Rename): T {
  const positions = tenant?.renamedTables && schema && namePositions(schema)
  return positions ? (renamed(value, positions, rename) as T) : value
}

function renamed(value: unknown, positions: NamePositions, rename: Rename): unknown {
  const { naming, members, items, values, keys } = positions
  if (typeof value === 'string') return naming ? inText(value, naming, rename) : value
  if (Array.isArray(value)) {
    const own = items ?? (naming && { naming })
    return own ? value.map((one) => renamed(one, own, rename)) : value
  }
  if (typeof value !== 'object' || value === null || !(members ?? values ?? keys)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const own = members?.get(key) ?? values
      return [keys ? inText(key, keys, rename) : key, own ? renamed(one, own, rename) : one]
    }),
  )
}

const inText = (text: string, naming: Naming, rename: Rename): string =>
  naming === 'name'
    ? text.replaceAll(/[^,\s]+/g, rename)
    : naming === 'head'
      ? text.replace(/^[^.*]+(?=\.)/, rename)
      : text.replace(/(?<=^(?:tables|views)\.)[^.]+/, rename)
