import { NotFound } from '../../../shared/kernel/failures/faults.ts'
import { endpointGroup, withoutSlash } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { NotModified, Reply } from '../../../shared/platform/http/routing/envelope.ts'
import type { HttpEvent, HttpResult, InvocationContext } from '../../../shared/platform/http/routing/http-event.ts'
import { implementOpen } from '../../../shared/platform/http/routing/implement.ts'
import { routeMatcher } from '../../../shared/platform/http/routing/match-route.ts'
import { appEtag, encodingOf, readAppFile as readFile } from './app-files.ts'
import { keepFiles, readFormerFile } from './former-files.ts'
import { linkPages } from './link-page-routes.ts'
import { mailFrame, mailFrameHeaders } from './mail-frame.ts'
import { linkPageHeaders, pageHeaders } from './page-policy.ts'
import { readApp, readAppFile, readMailFrame } from './routes.ts'

/** The name of a file changes with its content. */
const cacheForever = { 'cache-control': 'public, max-age=31536000, immutable' }

const matchFile = routeMatcher([readAppFile, readMailFrame, ...linkPages])

/** The one page of the app, in the best encoding that the request accepts. */
function pageFor({ 'accept-encoding': accepted }: HttpEvent['headers'], headers: Readonly<Record<string, string>>) {
  const page = readFile('index.html', encodingOf(accepted))
  if (!page) throw new Error('the app was not built')
  return new Reply(page.bytes as unknown as string, { ...page.headers, ...headers })
}

const group = endpointGroup(
  {
    // Its pages are open: they sign people in.
    authenticate: () => Promise.reject(new Error('the pages of the app know no caller')),
    redirectFor: (event) =>
      matchFile('GET', event.rawPath) && event.rawPath.endsWith('/') ? withoutSlash(event) : undefined,
  },
  [
    implementOpen(readApp, async ({ headers }) => {
      await keepFiles()
      const etag = appEtag()
      if (headers['if-none-match'] === etag) return new NotModified(etag)
      return pageFor(headers, { ...pageHeaders(), etag })
    }),
    implementOpen(readAppFile, async ({ params, headers }) => {
      const encoding = encodingOf(headers['accept-encoding'])
      const isPage = params.file === 'index.html'
      const file = isPage
        ? undefined
        : (readFile(params.file, encoding) ?? (await readFormerFile(params.file, encoding)))
      if (!file) throw new NotFound('endpoint', { path: `/assets/${params.file}` }, 'The address was not found.')
      return new Reply(file.bytes as unknown as string, { ...file.headers, ...cacheForever })
    }),
    implementOpen(readMailFrame, async ({ query }) => new Reply(mailFrame, mailFrameHeaders(query.pictures === 'all'))),
    ...linkPages.map((page) => implementOpen(page, async ({ headers }) => pageFor(headers, linkPageHeaders))),
  ],
)

/**
 * Whether a browser opens an address of the app, which knows its screens itself. Programs that ask for an address that
 * does not exist get a 404, and so do pages that name a file of a former version.
 */
function opensScreen({ rawPath, headers, requestContext }: HttpEvent): boolean {
  const { method } = requestContext.http
  if (method !== 'GET' && method !== 'HEAD') return false
  if (/^\/(api|assets|_local)(\/|$)/.test(rawPath) || matchFile(method, rawPath)) return false
  return headers['sec-fetch-mode'] === 'navigate' || headers.accept?.includes('text/html') === true
}

/** The address of a screen, and what stands in its query, is for the app alone. */
const asPage = (event: HttpEvent): HttpEvent => ({
  ...event,
  routeKey: readApp.key,
  rawPath: '/',
  rawQueryString: '',
  queryStringParameters: {},
})

/** Serves the web app at every address outside of the API. */
export const handler = (event: HttpEvent, context: InvocationContext): Promise<HttpResult> =>
  group(opensScreen(event) ? asPage(event) : event, context)
