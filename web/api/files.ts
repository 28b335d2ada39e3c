import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'

/** Uploads a file; answers the path that a field or a comment holds. */
export async function uploadFile(file: File): Promise<string> {
  const contentType = file.type || 'application/octet-stream'
  const { data } = await api.post('/api/files', {
    body: { name: file.name, content_type: contentType, size: file.size },
  })
  const { url, method, headers } = data.upload as { url: string; method: string; headers: Record<string, string> }
  const answer = await fetch(url, { method, headers, body: file })
  if (!answer.ok) throw new Error(`The upload of ${file.name} answered ${answer.status}.`)
  return data.path
}

/** Where a file is downloaded from, for some minutes. */
export const fileQuery = (path: string) =>
  queryOptions({
    queryKey: ['files', path],
    queryFn: async ({ signal }) => (await api.get('/api/files', { params: { query: { path } }, signal })).data,
    // The address expires after 15 minutes.
    staleTime: 10 * 60_000,
  })

/** The name of a file, which ends its path. */
export const fileName = (path: string): string => decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
