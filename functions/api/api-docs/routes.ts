import * as z from 'zod'
import { maxFieldNameCharacters, maxNamesPerList } from '../../../shared/kernel/limits/lists.ts'
import { defineRoute, type Route } from '../../../shared/platform/http/routing/define-route.ts'

const tag = 'Reference'

export const Health = z.object({
  status: z.literal('ok').meta({ description: 'The service is up.' }),
  version: z.string().meta({ description: 'The version of the service.' }),
})

export const readHealth = defineRoute({
  method: 'GET',
  path: '/api/health',
  open: true,
  tag,
  summary: 'Check that the service is up',
  description:
    'Checks that the database takes writes, without changing anything, at most once in two seconds: you may call it often. The answer has no envelope. 503 says that requests which write will fail, and why.',
  alsoFails: [503],
  answer: Health,
  shape: 'raw',
  example: { answer: { status: 'ok', version: '0.1.0' } },
})

const TableNames = z
  .preprocess(
    (given) => (typeof given === 'string' ? given.split(',').map((name) => name.trim()) : given),
    z.array(z.string().max(maxFieldNameCharacters)).min(1).max(maxNamesPerList).optional(),
  )
  .meta({ description: 'Only these tables, with commas. Needs a token.', type: 'array', items: { type: 'string' } })

export const readOpenApi = defineRoute({
  method: 'GET',
  path: '/api/openapi.json',
  operationId: 'getOpenapi',
  open: true,
  tag,
  summary: 'Get the OpenAPI document',
  description:
    'OpenAPI 3.1, generated from the route definitions that the service itself uses. Use it to generate a client. Without a token it describes records of any table. With one it has operations and schemas for each table that you may use, with the fields that you may read and write; `tables` limits it to some. What does not fit into one answer is left out, and `info` names it.',
  takesToken: true,
  hasEtag: true,
  alsoFails: [401, 403],
  query: z.object({ tables: TableNames }),
  answer: z.looseObject({
    openapi: z.string().meta({ description: 'The version of the OpenAPI specification.' }),
    info: z
      .looseObject({ title: z.string(), version: z.string() })
      .meta({ description: 'Title and version of the API.' }),
    paths: z.looseObject({}).meta({ description: 'Every endpoint by its path.' }),
  }),
  shape: 'raw',
  example: {
    answer: { openapi: '3.1.1', info: { title: 'Entity and Workflow Service', version: '0.1.0' }, paths: {} },
  },
})

export const readDocs = defineRoute({
  method: 'GET',
  path: '/api/docs',
  operationId: 'getDocsPage',
  open: true,
  tag,
  summary: 'Get the reference and the guides',
  description:
    'The page that you may be reading: every endpoint with samples in several languages, requests that you can send with your own token, and the guides. It contacts no other host.',
  answer: z.string(),
  shape: 'raw',
  contentType: 'text/html; charset=utf-8',
  example: { answer: '<!doctype html>\n<html lang="en">...' },
})

/** What the page loads, with its media type. The library has its version in its name. */
export const pageFiles = {
  'scalar-api-reference-1.72.1.js': 'text/javascript; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'guides.json': 'application/json; charset=utf-8',
} as const

export type PageFile = keyof typeof pageFiles

export const readDocsFile = defineRoute({
  method: 'GET',
  path: '/api/docs/{file}',
  operationId: 'getDocsFile',
  open: true,
  tag,
  summary: 'Get a file of the reference',
  description: 'The script, the style and the guides of the page at `/api/docs`, compressed with gzip.',
  params: z.object({
    file: z.enum(Object.keys(pageFiles) as [PageFile, ...PageFile[]]).meta({ description: 'Name of the file.' }),
  }),
  answer: z.string(),
  shape: 'raw',
  contentType: 'text/javascript; charset=utf-8',
  hasEtag: true,
  example: { params: { file: 'page.js' }, answer: '// Shows the OpenAPI document and the guides...' },
})

export const readGuide = defineRoute({
  method: 'GET',
  path: '/api/docs/guide/{name}',
  operationId: 'getDocsGuide',
  open: true,
  tag,
  summary: 'Get a guide',
  description:
    'Opens a guide on the page (302), for example `/api/docs/guide/query-language`. With `.md` after its name it is answered as Markdown.',
  params: z.object({
    name: z
      .string()
      .regex(/^[a-z-]+(\.md)?$/)
      .meta({ description: 'Name of the guide, as `guides.json` lists it; with `.md` for its text.' }),
  }),
  answer: z.string(),
  shape: 'raw',
  contentType: 'text/markdown; charset=utf-8',
  mayRedirect: true,
  alsoFails: [404],
  example: { params: { name: 'query-language.md' }, answer: '# Query language\n...' },
})

export const routes: readonly Route[] = [readHealth, readOpenApi, readDocs, readDocsFile, readGuide]
