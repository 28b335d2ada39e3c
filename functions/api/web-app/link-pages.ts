import { readFile } from 'node:fs/promises'
import { Reply } from '../../../shared/platform/http/routing/envelope.ts'
import { implementOpen, type Implementation } from '../../../shared/platform/http/routing/implement.ts'
import { type LinkPageFile, linkPageFiles, linkPages, readLinkPageFile } from './link-page-routes.ts'

/** In the sources and next to the bundle alike. */
const folder = new URL('./link-pages/', import.meta.url)

/** Its own files and this service, and nothing else; forms are sent by the script. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The address is a secret: no cache keeps it, and no other site learns it. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex',
}
const fileHeaders = { 'cache-control': 'public, max-age=300', 'referrer-policy': 'no-referrer' }

const read = new Map<string, Promise<string>>()

/** Each file is read once per instance. */
function textOf(name: LinkPageFile | 'index.html'): Promise<string> {
  const reading = read.get(name) ?? readFile(new URL(name, folder), 'utf8')
  read.set(name, reading)
  return reading
}

/** The pages behind mailed links: the same document at each address, of which the script knows what to do there. */
export const linkPageRoutes: readonly Implementation[] = [
  ...linkPages.map((route) => {
    // The service may be below a path of its host.
    const root = '../'.repeat(route.path.split('/').length - 2)
    return implementOpen(
      route,
      async () => new Reply((await textOf('index.html')).replaceAll('{{root}}', root), headers),
    )
  }),
  implementOpen(
    readLinkPageFile,
    async ({ params: { file } }) =>
      new Reply(await textOf(file), { ...fileHeaders, 'content-type': linkPageFiles[file] }),
  ),
]
