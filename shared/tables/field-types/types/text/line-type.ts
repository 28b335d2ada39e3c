import { type Problem, say } from '../../../../kernel/failures/sentence.ts'
import type { JsonSchema } from '../../../../platform/http/openapi/document-types.ts'
import type { AnyField, CheckedValue } from '../../declaration.ts'
import { lengthProblem, type TextRules } from './text-rules.ts'

interface LineType<F> {
  /** The stored form of a text without spaces around it, or why it has none. */
  parse(text: string, field: F): { readonly value: string } | { readonly problem: Problem }
  readonly value: JsonSchema
  readonly example: string
}

/** A word of such a line counts as much as one of a text. */
const searchWeight = 30

/** What types of texts of one line and a fixed form have in common, such as addresses. */
export function lineType<F extends AnyField & TextRules & { readonly searchable?: boolean | undefined }>({
  parse,
  value: schema,
  example,
}: LineType<F>) {
  const read = (field: F, value: unknown): ReturnType<typeof parse> =>
    typeof value === 'string' ? parse(value.trim(), field) : { problem: say('not_text', { field: field.name }) }
  function check(field: F, value: unknown): CheckedValue {
    const parsed = read(field, value)
    if ('problem' in parsed) return { error: parsed.problem }
    const error = lengthProblem(field, parsed.value)
    return error === undefined ? parsed : { error }
  }
  return {
    mayBeUnique: true,
    check,
    kind: 'text' as const,
    searchWeight: ({ searchable = true }: F) => (searchable ? searchWeight : undefined),
    reference: { value: schema },
    example: () => example,
    isExampleValid: ({ pattern, min_length, max_length }: F) =>
      pattern === undefined && min_length === undefined && max_length === undefined,
    scriptType: () => 'string',
    inForms: 'plain' as const,
    readOperand(field: F, value: unknown): unknown {
      const parsed = read(field, value)
      return 'value' in parsed ? parsed.value : value
    },
    readCell: (_: F, text: string) => text.trim(),
    inWords: (_: F, value: unknown) => (typeof value === 'string' ? value : undefined),
  }
}
