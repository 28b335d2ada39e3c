import type { OpenApiDocument } from '../../shared/platform/http/openapi/document-types.ts'

/** Reads the document of a caller's tables from a service. Throws with the answer of the service when it refuses. */
export async function fetchDocument(url: string, token: string, tables: string | undefined): Promise<OpenApiDocument> {
  const address = new URL('/api/openapi.json', url)
  if (tables !== undefined) address.searchParams.set('tables', tables)
  const answered = await fetch(address, { headers: { authorization: `Bearer ${token}` } }).catch((error: Error) => {
    throw new Error(`${address.origin} cannot be reached. Is the service running there?`, { cause: error })
  })
  const text = await answered.text()
  if (!answered.ok) throw new Error(`${address} answered ${answered.status}: ${text.slice(0, 500)}`)
  return JSON.parse(text) as OpenApiDocument
}
