import type { JsonSchema } from '../../../../platform/http/openapi/document-types.ts'
import type { AnyField, CheckedValue } from '../../declaration.ts'

interface LineType<F> {
  /** The stored form of a text without spaces around it, or why it has none: what follows the field's name. */
  parse(text: string, field: F): { readonly value: string } | { readonly problem: string }
  readonly value: JsonSchema
  readonly example: string
}

/** A word of such a line counts as much as one of a text. */
const searchWeight = 30

/** What types of texts of one line and a fixed form have in common, such as addresses. */
export function lineType<F extends AnyField & { readonly searchable?: boolean | undefined }>({
  parse,
  value: schema,
  example,
}: LineType<F>) {
  function check(field: F, value: unknown): CheckedValue {
    if (typeof value !== 'string') return { error: `The ${field.name} must be a string.` }
    const parsed = parse(value.trim(), field)
    return 'value' in parsed ? parsed : { error: `The ${field.name} ${parsed.problem}` }
  }
  return {
    mayBeUnique: true,
    check,
    kind: 'text' as const,
    searchWeight: ({ searchable = true }: F) => (searchable ? searchWeight : undefined),
    reference: { value: schema },
    example: () => example,
    isExampleValid: () => true,
    scriptType: () => 'string',
    inForms: 'plain' as const,
    readOperand(field: F, value: unknown): unknown {
      const checked = check(field, value)
      return 'value' in checked ? checked.value : value
    },
    readCell: (_: F, text: string) => text.trim(),
    inWords: (_: F, value: unknown) => (typeof value === 'string' ? value : undefined),
  }
}
