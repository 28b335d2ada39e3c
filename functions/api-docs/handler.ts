import { docsPage, docsPagePolicy } from '../../shared/http/docs-page/docs-page.ts'
import type { OpenApiDocument } from '../../shared/http/openapi/document-types.ts'
import { openApiDocument } from '../../shared/http/openapi/openapi-document.ts'
import { endpointGroup, type Authenticate } from '../../shared/http/routing/endpoint-group.ts'
import { publicUrl, Reply } from '../../shared/http/routing/envelope.ts'
import { implementOpen } from '../../shared/http/routing/implement.ts'
import { environment } from '../../shared/kernel/environment.ts'
import { Unauthenticated } from '../../shared/kernel/faults.ts'
import { allRoutes } from './all-routes.ts'
import { addressWithoutSlash } from './other-addresses.ts'
import { readDocs, readHealth, readOpenApi } from './routes.ts'

let document: OpenApiDocument | undefined
let page: string | undefined

/** Document and page are built once per instance, on the first request for them. */
const apiDocument = (): OpenApiDocument =>
  (document ??= openApiDocument(allRoutes, { version: environment().SERVICE_VERSION, serverUrl: publicUrl() }))
const apiPage = (): string => (page ??= docsPage(apiDocument()))

/** Document and page change with a deployment only. */
const cacheForMinutes = { 'cache-control': 'public, max-age=300' }

/** All routes of this function are open. */
const admitNobody: Authenticate = () => Promise.reject(new Unauthenticated())

/** Serves health, the API reference, and refuses every address without a route. */
export const handler = endpointGroup({ authenticate: admitNobody, elsewhere: addressWithoutSlash }, [
  implementOpen(readHealth, async () => ({ status: 'ok' as const, version: environment().SERVICE_VERSION })),
  implementOpen(readOpenApi, async () => new Reply({ ...apiDocument() }, cacheForMinutes)),
  implementOpen(
    readDocs,
    async () =>
      new Reply(apiPage(), {
        ...cacheForMinutes,
        'content-security-policy': docsPagePolicy,
        'referrer-policy': 'no-referrer',
      }),
  ),
])
