import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** A page with the real grid on a server of its own, which passes `/api` on to the service. */
export interface GridPage {
  readonly url: string
  /** The requests for rows so far, as the grid sent them, with the status of their answers. */
  readonly requests: { body: any; status: number }[]
  close(): void
}

const script = join(
  import.meta.dirname,
  '..',
  'node_modules',
  'ag-grid-enterprise',
  'dist',
  'ag-grid-enterprise.min.js',
)

/** The page: `open(options)` makes a grid of `table`, whose rows come as the service answers them. */
const html = `<!doctype html><meta charset="utf-8"><title>Grid</title>
<style>html,body{margin:0;height:100%}#grid{height:700px}</style><div id="grid"></div><script src="/grid.js"></script>
<script>
  const answers = []
  function open(table, token, options) {
    document.getElementById('grid').replaceChildren()
    const { more, ...given } = options
    window.api = agGrid.createGrid(document.getElementById('grid'), {
      rowModelType: 'serverSide',
      cacheBlockSize: 100,
      maxConcurrentDatasourceRequests: 2,
      ...given,
      serverSideDatasource: {
        async getRows({ request, success, fail }) {
          const answer = await fetch('/api/e/' + table + '/list-server', {
            method: 'POST',
            headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
            body: JSON.stringify({ ...request, ...more }),
          })
          const body = await answer.json()
          answers.push(body)
          if (answer.ok) success({ rowData: body.data, rowCount: body.rowCount })
          else fail()
        },
      },
    })
  }
</script>`

/** Serves the page on 127.0.0.1. */
export async function serveGridPage(service: string): Promise<GridPage> {
  const requests: GridPage['requests'] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/') return void response.setHeader('content-type', 'text/html').end(html)
    if (request.url === '/grid.js')
      return void response.setHeader('content-type', 'text/javascript').end(await readFile(script))
    if (!request.url?.startsWith('/api/')) return void response.writeHead(404).end()
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk as Uint8Array)
    const body = Buffer.concat(chunks).toString()
    const answered = await fetch(`${service}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' },
      body,
    })
    requests.push({ body: JSON.parse(body), status: answered.status })
    response.writeHead(answered.status, { 'content-type': 'application/json' }).end(await answered.text())
  }
  const server: Server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(502).end(String(error)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
