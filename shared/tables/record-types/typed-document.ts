import type { Rights } from '../../kernel/permissions.ts'
import type { JsonSchema, OpenApiDocument, Operation } from '../../platform/http/openapi/document-types.ts'
import { withoutUnused } from '../../platform/http/openapi/without-unused.ts'
import { addSizes, type AnswerSize, noSize, sizeOfText } from '../../platform/http/routing/answer-size.ts'
import { sharedValueSchemas } from '../field-types/read-field.ts'
import { filterSchemas } from './filter-schema.ts'
import { isTyped, tablePaths } from './table-paths.ts'
import { listedSchemas, tableSchemas } from './table-schemas.ts'
import { targetsAmong, type TypedTable, typedTables, type TypedTables } from './typed-tables.ts'

/** What one table adds to the document. */
interface Part {
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly parameters: Readonly<Record<string, object>>
}

/** What an answer may carry, less the generic document and what all tables share. */
const maxCarriedBytes = 5 * 1024 * 1024

/**
 * The document with operations and schemas of its own for each table that the caller may use, in place of the generic
 * ones. `asked`: only these tables. Tables beyond the size of an answer are left out, by name; `info` names them, and the
 * generic operations then stay.
 */
export function typedDocument(
  generic: OpenApiDocument,
  tables: readonly TypedTable['table'][],
  rights: Pick<Rights, 'isAdministrator' | 'permissions' | 'grants'>,
  asked?: ReadonlySet<string>,
  maxBytes = maxCarriedBytes,
): OpenApiDocument {
  const permitted = typedTables(tables, rights, Object.keys(generic.components.schemas))
  const wanted = permitted.filter(({ table }) => asked?.has(table.name) ?? true)
  const { shown, parts } = fitting(generic, wanted, maxBytes)
  const leftOut = wanted.filter((typed) => !shown.includes(typed)).map(({ table }) => table.name)
  const isWhole = shown.length === permitted.length
  const schemas = {
    ...generic.components.schemas,
    ...sharedValueSchemas,
    ...filterSchemas,
    ...listedSchemas,
    ...merge(parts.map((part) => part.schemas)),
  }
  return withoutUnused({
    ...generic,
    info: {
      ...generic.info,
      ...(leftOut.length > 0 && {
        description: `${generic.info.description}\n\n## Tables that are left out\n\nThe types of all tables do not fit into one answer. Ask for those that you need with \`?tables=a,b\`. Left out: ${leftOut.map((name) => `\`${name}\``).join(', ')}.`,
        'x-left-out-tables': leftOut,
      }),
    },
    tags: [
      ...generic.tags,
      ...shown.map(({ table }) => ({ name: table.name, description: `Records of the table ${table.label}.` })),
    ],
    paths: { ...(isWhole ? withoutTyped(generic.paths) : generic.paths), ...merge(parts.map((part) => part.paths)) },
    components: {
      ...generic.components,
      schemas,
      parameters: merge(parts.map((part) => part.parameters)) as OpenApiDocument['components']['parameters'],
    },
  })
}

/** As many tables as fit, in their order. References to tables that are left out are written as plain ids. */
function fitting(generic: OpenApiDocument, wanted: readonly TypedTable[], maxBytes: number) {
  const write = (typed: TypedTable, targetOf: TypedTables['targetOf']): Part => {
    const { paths, parameters } = tablePaths(generic, typed)
    const listBody = generic.components.schemas.ListBody
    if (!listBody) throw new Error('the document has no ListBody')
    return { schemas: tableSchemas(typed, { targetOf, listBody }), paths, parameters }
  }
  const all = targetsAmong(wanted)
  const shown: TypedTable[] = []
  const parts: Part[] = []
  let size: AnswerSize = noSize
  for (const typed of wanted) {
    const part = write(typed, all)
    size = addSizes(size, sizeOfText(JSON.stringify({ ...part, parameters: {} })))
    if (size.carried > maxBytes && shown.length > 0) break
    shown.push(typed)
    parts.push(part)
  }
  if (shown.length === wanted.length) return { shown, parts }
  const targetOf = targetsAmong(shown)
  return { shown, parts: shown.map((typed) => write(typed, targetOf)) }
}

const merge = <T>(parts: readonly Readonly<Record<string, T>>[]): Record<string, T> => Object.assign({}, ...parts)

/** The paths without the operations that have typed ones in their place. */
const withoutTyped = (paths: OpenApiDocument['paths']): OpenApiDocument['paths'] =>
  Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) => {
      const kept = Object.entries(methods).filter(([method]) => !isTyped(method, path))
      return kept.length > 0 ? [[path, Object.fromEntries(kept)]] : []
    }),
  )
