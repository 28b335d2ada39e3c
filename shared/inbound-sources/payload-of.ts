import { readJsonBody } from '../http/routing/json-body.ts'

/**
 * What a request says, as the payload of a message: the object that it holds, the fields of a form, any other JSON under
 * `value`, any other text under `text`, and bytes that are no text under `base64`. Throws Invalid for JSON that is too
 * deep, and Malformed for what says that it is JSON and is not.
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
  const fields = new URLSearchParams(text)
  const names = [...new Set(fields.keys())].filter((name) => name !== '__proto__').slice(0, 1000)
  return Object.fromEntries(
    names.map((name) => {
      const values = fields.getAll(name)
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}
