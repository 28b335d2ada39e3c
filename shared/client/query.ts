/**
 * Writes query parameters as the service reads them: lists with commas, a filter as JSON. Undefined and null are left
 * out.
 */
export function querySerializer(query: unknown): string {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    if (value === undefined || value === null) continue
    if (Array.isArray(value)) written.set(name, value.join(','))
    else written.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return written.toString()
}
