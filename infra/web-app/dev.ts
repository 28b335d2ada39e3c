/**
 * `npm run dev`: the service, and before it the web app, which is built anew and reloaded with each change of its sources.
 * The app is at DEV_PORT (default 5173), the service at PORT (default 3000); what is no file of the app goes there.
 */
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { bundleWebApp, pageOf, root, type WebFile } from './bundle-web-app.ts'

const port = Number(process.env.DEV_PORT ?? 5173)
const servicePort = Number(process.env.PORT ?? 3000)
const reloading = `<script type="module">new EventSource('/_dev/changes').onmessage = () => location.reload()</script>`
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

let files: ReadonlyMap<string, WebFile> = new Map()
const pages = new Set<ServerResponse>()

async function build(): Promise<void> {
  const app = await bundleWebApp({ isForProduction: false })
  files = new Map([...app.files, await pageOf(app, reloading)].map((file) => [file.name, file]))
  for (const page of pages) page.write('data: changed\n\n')
}

await build()
// An editor writes a file in several steps: the last one counts.
let soon: NodeJS.Timeout | undefined
watch(join(root, 'web'), { recursive: true }, () => {
  clearTimeout(soon)
  // What cannot be built is said; the page stays as it was.
  soon = setTimeout(() => build().catch((error: unknown) => console.error(String(error))), 50)
})

createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  if (path === '/_dev/changes') return listen(response)
  const isScreen = request.headers.accept?.includes('text/html') === true && !/^\/(api|_local)(\/|$)/.test(path)
  const file = files.get(isScreen ? 'index.html' : path.replace('/assets/', ''))
  if (!file || !(isScreen || path.startsWith('/assets/'))) return forward(request, response)
  response.writeHead(200, {
    'content-type': isScreen ? 'text/html' : (types[extname(file.name)] ?? ''),
    'cache-control': 'no-store',
  })
  response.end(file.contents)
}).listen(port, '127.0.0.1', () => console.log(`The app is at http://localhost:${port}`))

function listen(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  pages.add(response)
  response.once('close', () => pages.delete(response))
}

function forward(request: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = request
  const sent = send({ host: '127.0.0.1', port: servicePort, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  sent.once('error', () => response.writeHead(502).end('The service does not answer yet.'))
  request.pipe(sent)
}

const service = spawn(process.execPath, ['infra/local/start.mjs'], { cwd: root, stdio: 'inherit' })
service.once('close', (code) => process.exit(code ?? 1))
