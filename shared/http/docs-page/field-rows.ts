import type { JsonSchema, OpenApiDocument } from '../openapi/document-types.ts'
import { escapeHtml, inlineMarkup } from './markup.ts'

/** A row of a table of fields. */
interface FieldRow {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly schema: JsonSchema
}

const maxNesting = 4

/** Renders a table of fields; `flagged` says whether required or optional fields are marked. Empty without rows. */
export function rowTable(rows: readonly FieldRow[], caption: string, flagged: 'required' | 'optional'): string {
  if (rows.length === 0) return ''
  // The roles are explicit, because browsers drop those of a table that the style sheet lays out as a grid.
  return `<table class="fields" role="table"><caption>${escapeHtml(caption)}</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader">Name</th><th role="columnheader">Type</th><th role="columnheader">Description</th></tr></thead>
<tbody role="rowgroup">${rows.map((row) => rowMarkup(row, flagged)).join('\n')}</tbody></table>`
}

function rowMarkup({ name, type, required, schema }: FieldRow, flagged: 'required' | 'optional'): string {
  const flag = required === (flagged === 'required') ? ` <span class="${flagged}">${flagged}</span>` : ''
  const steps = name.split('.')
  const last = steps.pop() ?? name
  const lead = steps.length > 0 ? `<span class="lead">${escapeHtml(`${steps.join('.')}.`)}</span><wbr>` : ''
  return `<tr role="row"><th role="rowheader"><code>${lead}${escapeHtml(last)}</code></th>
<td role="cell"><span class="type">${escapeHtml(type)}</span>${flag}</td>
<td role="cell">${[schema.description && inlineMarkup(schema.description), limits(schema)].filter(Boolean).join(' ')}</td></tr>`
}

/** The limits of a value that its type does not express. */
function limits(schema: JsonSchema): string {
  const code = (value: unknown): string =>
    `<code>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value))}</code>`
  const parts: string[] = []
  const choices = schema.enum ?? schema.items?.enum
  if (choices) parts.push(`One of ${choices.map(code).join(', ')}.`)
  if (schema.const !== undefined) parts.push(`Always ${code(schema.const)}.`)
  const { minimum: min, maximum: max, minLength, maxLength, maxItems } = schema
  if (min !== undefined && max !== undefined) parts.push(`${escapeHtml(min)} to ${escapeHtml(max)}.`)
  else if (min !== undefined) parts.push(`At least ${escapeHtml(min)}.`)
  else if (max !== undefined) parts.push(`At most ${escapeHtml(max)}.`)
  if (maxLength !== undefined)
    parts.push(`${minLength ? `${escapeHtml(minLength)} to` : 'At most'} ${escapeHtml(maxLength)} characters.`)
  else if (Number(minLength) > 1) parts.push(`At least ${escapeHtml(minLength)} characters.`)
  if (maxItems !== undefined) parts.push(`At most ${escapeHtml(maxItems)} items.`)
  if (schema.pattern !== undefined) parts.push(`Matches ${code(schema.pattern)}.`)
  if (schema.default !== undefined) parts.push(`Default ${code(schema.default)}.`)
  return parts.length > 0 ? `<span class="limits">${parts.join(' ')}</span>` : ''
}

/** The fields of a schema; those of nested objects have their path as name. */
export function fieldRows(
  document: OpenApiDocument,
  schema: JsonSchema,
  prefix = '',
  depth = 0,
  seen: readonly string[] = [],
): FieldRow[] {
  const ref = schema.$ref
  if (ref !== undefined && seen.includes(ref)) return []
  const resolved = resolve(document, schema)
  const path = ref === undefined ? seen : [...seen, ref]
  if (depth > maxNesting) return []
  const variants = [...(resolved.allOf ?? []), ...(resolved.anyOf ?? []), ...(resolved.oneOf ?? [])]
  const rows = [
    ...Object.entries(resolved.properties ?? {}).flatMap(([name, member]) => {
      const field = resolve(document, member)
      const at = `${prefix}${name}`
      const own: FieldRow = {
        name: at,
        type: typeName(document, member),
        required: resolved.required?.includes(name) ?? false,
        schema: { ...field, ...(member.description !== undefined && { description: member.description }) },
      }
      return [own, ...fieldRows(document, member, `${at}.`, depth + 1, path)]
    }),
    ...(typeof resolved.additionalProperties === 'object' && !resolved.properties && depth === 0
      ? [anyField(document, resolved.additionalProperties)]
      : []),
    ...(resolved.items
      ? fieldRows(document, resolved.items, prefix === '' ? '' : `${prefix.slice(0, -1)}[].`, depth, path)
      : []),
    ...variants.flatMap((variant) => fieldRows(document, variant, prefix, depth, path)),
  ]
  // Alternatives may share members: the first one describes the member.
  return [...new Map([...rows].reverse().map((row) => [row.name, row])).values()].reverse()
}

/** The row for an object with arbitrary members. */
const anyField = (document: OpenApiDocument, schema: JsonSchema): FieldRow => ({
  name: '<field>',
  type: typeName(document, schema),
  required: false,
  schema: { description: 'A field by its name, with its value.', ...schema },
})

/** Follows a reference to a shared schema. */
export function resolve(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return (name !== undefined && document.components.schemas[name]) || schema
}

/** The type in words: `string or null`, `array of integer`, `string (date-time)`. */
export function typeName(document: OpenApiDocument, schema: JsonSchema, depth = 0): string {
  const { type, format, items, anyOf, oneOf, ...rest } = resolve(document, schema)
  const variants = anyOf ?? oneOf
  if (variants && depth < maxNesting)
    return [...new Set(variants.map((variant) => typeName(document, variant, depth + 1)))].join(' or ')
  if (type === 'array')
    return items && depth < maxNesting ? `array of ${typeName(document, items, depth + 1)}` : 'array'
  if (type === undefined)
    return rest.allOf || rest.properties ? 'object' : rest.const !== undefined ? typeof rest.const : 'any value'
  const [name, ...others] = [type].flat()
  return [format === undefined ? name : `${name} (${format})`, ...others].join(' or ')
}
