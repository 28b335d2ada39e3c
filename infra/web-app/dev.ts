/**
 * `npm run dev`: the service, and before it the web app, which is built anew and reloaded with each change of its sources.
 * The app is at DEV_PORT (default 5173), the service at PORT (default 3000); what is no file of the app goes there.
 */
import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { context } from 'esbuild'
import { filesOf, root, webBundling, type WebFile } from './bundle-web-app.ts'

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

const builder = await context({
  ...webBundling,
  sourcemap: 'inline',
  define: { 'process.env.NODE_ENV': '"development"' },
  plugins: [
    ...webBundling.plugins,
    {
      name: 'serve',
      setup: ({ onEnd }) =>
        onEnd(async (result) => {
          if (result.errors.length > 0) return
          files = new Map((await filesOf(result as never, reloading)).map((file) => [file.name, file]))
          for (const page of pages) page.write('data: changed\n\n')
        }),
    },
  ],
})
await builder.watch()

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
