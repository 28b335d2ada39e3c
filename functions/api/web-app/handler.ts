import { NotFound } from '../../../shared/kernel/failures/faults.ts'
import { mayFail } from '../../../shared/kernel/runtime/log.ts'
import { endpointGroup, withoutSlash } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { NotModified, Reply } from '../../../shared/platform/http/routing/envelope.ts'
import type { HttpEvent, HttpResult, InvocationContext } from '../../../shared/platform/http/routing/http-event.ts'
import { implementOpen } from '../../../shared/platform/http/routing/implement.ts'
import { routeMatcher } from '../../../shared/platform/http/routing/match-route.ts'
import { lazyObjects } from '../../wiring/platform/lazy-objects.ts'
import {
  appEtag,
  type AppFile,
  appFiles,
  type Encoding,
  encodingOf,
  fileOf,
  readAppFile as readFile,
} from './app-files.ts'
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

/*
 * A tab that was open during a deployment asks for files of its page that only the former build has. So each build copies
 * its files into the bucket before it shows its first page, and serves what it does not have from there.
 */

const keyOf = (file: string): string => `app/${file}`
/** Written last: whoever reads it knows that all files of the build are there. */
const markOf = (build: string): string => keyOf(`builds/${build.replaceAll('"', '')}`)
const putsAtOnce = 16

let keeping: Promise<void> | undefined

/** Copies the files of this build, once for each build. A failure is logged, and the next page tries again. */
const keepFiles = (): Promise<void> =>
  (keeping ??= (async () => {
    const isKept = await mayFail('keep the files of this build of the web app', copyFiles)
    if (!isKept) keeping = undefined
  })())

async function copyFiles(): Promise<true> {
  const mark = markOf(appEtag())
  if (await exists(mark)) return true
  const files = [...appFiles()]
  const copy = async (): Promise<void> => {
    for (let next = files.pop(); next; next = files.pop()) await lazyObjects.putObject(keyOf(next.name), next.read())
  }
  await Promise.all(Array.from({ length: putsAtOnce }, copy))
  await lazyObjects.putObject(mark, Buffer.from(new Date().toISOString()))
  return true
}

const exists = async (key: string): Promise<boolean> => (await fetchIfThere(key)) !== undefined

/** A file of a build before this one; undefined when no build had it. */
async function readFormerFile(name: string, encoding: Encoding): Promise<AppFile | undefined> {
  const compressed = await fetchIfThere(keyOf(`${name}.${encoding === 'br' ? 'br' : 'gz'}`))
  return compressed && fileOf(name, encoding, compressed)
}

async function fetchIfThere(key: string): Promise<Uint8Array | undefined> {
  try {
    return await lazyObjects.fetchObject(key)
  } catch (error) {
    const { name, $metadata } = error as { name: string; $metadata?: { httpStatusCode?: number } }
    // Without the right to list the bucket, S3 answers 403 for a key that does not exist.
    if (name === 'NoSuchKey' || $metadata?.httpStatusCode === 404 || $metadata?.httpStatusCode === 403) return undefined
    throw error
  }
}
