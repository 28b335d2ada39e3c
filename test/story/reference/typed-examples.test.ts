import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { typedSampleTables } from '../../make/builders/records/typed-sample-tables.ts'
import { type DemoService, startDemo } from '../../make/services/demo-service.ts'

/** An operation of the document with a body that a reader tries out. Restoring needs a version that is gone, and a file one that is uploaded. */
interface Sample {
  readonly method: string
  readonly path: string
  readonly example: object
}

let demo: DemoService
let token = ''
const api = (method: string, path: string, body?: unknown) => demo.api(method, path, { token, body })

beforeAll(async () => {
  demo = await startDemo()
  token = await demo.signIn('admin@example.com')
  for (const { name, label, table_fields } of typedSampleTables) {
    const { status, body } = await api('POST', '/api/sys/entities', { name, label, table_fields })
    if (status !== 201) throw new Error(JSON.stringify(body))
  }
})
afterAll(() => demo?.stop())

async function samplesOf(table: string): Promise<Sample[]> {
  const { body } = await api('GET', '/api/openapi.json')
  return Object.entries(body.paths as Record<string, Record<string, any>>)
    .filter(([path]) => path === `/api/e/${table}` || path.startsWith(`/api/e/${table}/`))
    .filter(([path]) => !/\/(restore|import-file)$/.test(path))
    .flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody }]) => {
        const example = requestBody?.content['application/json'].example
        return requestBody === undefined ? [] : [{ method: method.toUpperCase(), path, example }]
      }),
    )
}

describe('the bodies that the document shows for a table', () => {
  it.each(['requests', 'clients', ...typedSampleTables.map(({ name }) => name)])(
    'can be sent as they are: %s',
    async (table) => {
      const samples = await samplesOf(table)
      expect(samples.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
        [
          `PATCH /api/e/${table}/{id}`,
          `POST /api/e/${table}`,
          `POST /api/e/${table}/bulk`,
          `POST /api/e/${table}/export`,
          `POST /api/e/${table}/import`,
          `POST /api/e/${table}/list-server`,
          `PUT /api/e/${table}/{id}`,
        ].toSorted(),
      )
      let id = 0
      for (const { method, path, example } of samples.toSorted((one, other) => one.path.length - other.path.length)) {
        const { status, body } = await api(method, path.replace('{id}', `${id}`), example)
        expect([method, path, status, body.data?.errors ?? []], JSON.stringify({ example, body })).toEqual([
          method,
          path,
          path.endsWith(table) ? 201 : 200,
          [],
        ])
        if (path.endsWith(table)) id = body.data.id
      }
    },
  )
})
