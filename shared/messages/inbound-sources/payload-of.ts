import { Invalid } from '../../kernel/failures/faults.ts'
import { maxBodyKeys } from '../../kernel/limits/requests.ts'
import { inspectJson } from '../../platform/http/routing/json/inspect-json.ts'
import { readJsonBody } from '../../platform/http/routing/json/json-body.ts'

/**
 * What a request says, as the payload of a message: the object that it holds, the fields of a form, any other JSON under
 * `value`, any other text under `text`, and bytes that are no text under `base64`. Throws Invalid for JSON that is too
 * deep or holds too much and for a form with too many fields, and Malformed for what says that it is JSON and is not.
 */
export function payloadOf(contentType: string, body: Buffer): Record<string, unknown> {
  if (body.length === 0) return {}
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const text = textOf(body)
  if (text === undefined) return { base64: body.toString('base64') }
  if (type === 'application/x-www-form-urlencoded') return formOf(text)
  const isJson = type === 'application/json' || type.endsWith('+json')
  if (!isJson && !/^\s*[[{]/.test(text)) return { text }
  try {
    const value = readJsonBody(text, false)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : { value }
  } catch (error) {
    if (isJson) throw error
    return { text }
  }
}

function textOf(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

/** A field that stands several times becomes a list. */
function formOf(text: string): Record<string, unknown> {
  requireFewFields(text)
  const fields = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  const form = Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
  inspectJson(form)
  return form
}

/** Counts before anything is made of them: 4 MB hold two million fields. */
function requireFewFields(text: string): void {
  let fields = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    fields += 1
    if (fields > maxBodyKeys) throw new Invalid({ body: [`The body holds more than ${maxBodyKeys} fields.`] })
  }
}
