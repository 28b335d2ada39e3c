import { MethodNotAllowed, NotFound } from '../../../shared/kernel/failures/faults.ts'
import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { type Authenticate, endpointGroup, withoutSlash } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { NotModified, publicUrl, Redirect, Reply } from '../../../shared/platform/http/routing/envelope.ts'
import type { HttpEvent } from '../../../shared/platform/http/routing/http-event.ts'
import { implementOpen } from '../../../shared/platform/http/routing/implement.ts'
import { routeMatcher } from '../../../shared/platform/http/routing/match-route.ts'
import { methodsOf } from '../../../shared/platform/http/routing/request-paths.ts'
import { allRoutes } from './all-routes.ts'
import { guideNames, markdownOf, readGuides } from './guides.ts'
import { pageFile, pageHtml } from './page-files.ts'
import { pageFiles, readDocs, readDocsFile, readGuide, readHealth, readOpenApi } from './routes.ts'
import { serveDocument } from './serve-document.ts'

const match = routeMatcher(allRoutes)

/**
 * Answers where an address without a route leads: the same one without the slash at its end, which API Gateway takes for
 * another. Undefined for an unknown address. Throws MethodNotAllowed for one that knows other methods.
 */
function addressWithoutSlash(event: HttpEvent): string | undefined {
  const { rawPath, requestContext } = event
  const { method } = requestContext.http
  const found = match(method, rawPath)
  if (!found) return undefined
  if (!found.route) throw new MethodNotAllowed(method, methodsOf(rawPath, found.methods))
  return rawPath.endsWith('/') ? withoutSlash(event) : undefined
}

/** The page is read once per instance, on the first request for it. */
let page: Promise<string> | undefined

/** It changes with a deployment only. */
const cacheForMinutes = { 'cache-control': 'public, max-age=300' }
/** The version of the library is part of its name. */
const cacheForever = { 'cache-control': 'public, max-age=31536000, immutable' }

/**
 * The page runs its own scripts only, sends requests to this service only, and loads nothing from redirectFor. The library
 * sets styles of elements as it draws them, which a policy can allow only as a whole (docs/decisions/0057).
 */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const unknownGuide = (name: string): string => `There is no guide ${name}. The guides are ${guideNames.join(', ')}.`

let checkHealth: ReturnType<typeof healthCheck> | undefined

/** Loaded when health is asked for: the pages need no store. */
async function healthCheck() {
  const [{ createHealthCheck }, { store }] = await Promise.all([
    import('./check-health.ts'),
    import('../../wiring/platform/store.ts'),
  ])
  return createHealthCheck({ store, clock })
}

/** Loaded for the first token: the pages need neither accounts nor the store. */
const authenticate: Authenticate = async (...request) =>
  (await import('../../wiring/authenticate.ts')).authenticate(...request)

/** Serves health and the API reference, and refuses every address of the API without a route. */
export const handler = endpointGroup({ authenticate, redirectFor: addressWithoutSlash }, [
  implementOpen(readHealth, async () => {
    await (
      await (checkHealth ??= healthCheck())
    )()
    return { status: 'ok' as const, version: environment().SERVICE_VERSION }
  }),
  implementOpen(readOpenApi, ({ caller, query, headers }) =>
    serveDocument(caller, query.tables, headers['if-none-match']),
  ),
  implementOpen(
    readDocs,
    async () =>
      new Reply(await (page ??= pageHtml()), {
        ...cacheForMinutes,
        'content-security-policy': pagePolicy,
        'referrer-policy': 'no-referrer',
      }),
  ),
  implementOpen(readDocsFile, async ({ params: { file }, headers }) => {
    const { bytes, etag } = await pageFile(file)
    if (headers['if-none-match'] === etag) return new NotModified(etag)
    return new Reply(bytes as unknown as string, {
      ...(file.startsWith('scalar-') ? cacheForever : cacheForMinutes),
      'content-type': pageFiles[file],
      'content-encoding': 'gzip',
      etag,
    })
  }),
  implementOpen(readGuide, async ({ params: { name } }) => {
    const wanted = name.replace(/\.md$/, '')
    const guide = (await readGuides()).find((one) => one.name === wanted)
    if (!guide) throw new NotFound('endpoint', { name: wanted }, unknownGuide(wanted))
    return name === wanted
      ? new Redirect(`${publicUrl()}/api/docs#tag/guide-${wanted}`)
      : new Reply(markdownOf(guide), cacheForMinutes)
  }),
])
