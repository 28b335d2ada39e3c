import { docsPage, docsPagePolicy } from '../../shared/http/docs-page/docs-page.ts'
import { endpointGroup, type Authenticate } from '../../shared/http/routing/endpoint-group.ts'
import { Reply } from '../../shared/http/routing/envelope.ts'
import { implementOpen } from '../../shared/http/routing/implement.ts'
import { environment } from '../../shared/kernel/environment.ts'
import { addressWithoutSlash } from './other-addresses.ts'
import { readDocs, readHealth, readOpenApi } from './routes.ts'
import { genericDocument, serveDocument } from './serve-document.ts'

let page: string | undefined

/** The page is built once per instance, on the first request for it. */
const apiPage = (): string => (page ??= docsPage(genericDocument()))

/** The page changes with a deployment only. */
const cacheForMinutes = { 'cache-control': 'public, max-age=300' }

/** Loaded for the first token: a check of health needs neither accounts nor the store. */
const authenticate: Authenticate = async (...request) =>
  (await import('../wiring/authenticate.ts')).authenticate(...request)

/** Serves health, the API reference, and refuses every address without a route. */
export const handler = endpointGroup({ authenticate, elsewhere: addressWithoutSlash }, [
  implementOpen(readHealth, async () => ({ status: 'ok' as const, version: environment().SERVICE_VERSION })),
  implementOpen(readOpenApi, ({ caller, query, headers }) =>
    serveDocument(caller, query.tables, headers['if-none-match']),
  ),
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
