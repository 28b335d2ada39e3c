import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { apiDocument } from '../../functions/api/api-docs/api-document.ts'
import type { OpenApiDocument } from '../../shared/platform/http/openapi/document-types.ts'

/** The committed types of any tenant. */
export const genericTypesPath = join(import.meta.dirname, '..', '..', 'shared', 'client', 'api.d.ts')

/** The document of any tenant, without what differs between deployments. */
export const genericDocument = (): OpenApiDocument => apiDocument({ version: '1', serverUrl: '' })

/** The first line of the types, which tells those of different documents apart, so that a test finds stale ones. */
export const markLine = ({ paths, components }: Pick<OpenApiDocument, 'paths' | 'components'>): string =>
  `// Document: ${createHash('sha256')
    .update(JSON.stringify([paths, components]))
    .digest('base64url')}`
