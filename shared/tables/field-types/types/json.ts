import { say } from '../../../kernel/failures/sentence.ts'
import { maxJsonBytes } from '../../../kernel/limits/tables.ts'
import type { JsonSchema } from '../../../platform/http/openapi/document-types.ts'
import { defineFieldType } from '../declaration.ts'
import { jsonInCell } from './json-in-cell.ts'

/** A longer value is not told of word by word. */
const maxToldLength = 80

const anyJson: JsonSchema = {
  anyOf: (['object', 'array', 'string', 'number', 'boolean'] as const).map((type) => ({
    type,
    ...(type === 'array' && { items: {} }),
  })),
}

export const json = defineFieldType({
  description: 'Any JSON value of up to 32 KB. It cannot be filtered, sorted or grouped.',
  properties: {},
  mayBeUnique: false,
  check({ name }, value) {
    const text = isJson(value) ? JSON.stringify(value) : undefined
    if (text === undefined) return { error: say('not_json', { field: name }) }
    return Buffer.byteLength(text) <= maxJsonBytes
      ? { value }
      : { error: say('json_too_large', { field: name, kilobytes: maxJsonBytes / 1024 }) }
  },
  kind: 'opaque',
  reference: { value: anyJson },
  example: () => ({ model: 'X-200', ports: [1, 2] }),
  isExampleValid: () => true,
  scriptType: () => 'any',
  readCell: (_, text) => jsonInCell(text),
  writeCell: (_, value) => JSON.stringify(value),
  inWords(_, value) {
    const text = JSON.stringify(value)
    return text.length <= maxToldLength ? text : undefined
  },
})

/** Whether a value of a script, or of a request, is nothing but JSON. */
function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return false
  return Array.isArray(value) ? value.every(isJson) : Object.values(value).every(isJson)
}
