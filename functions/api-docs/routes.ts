import * as z from 'zod'
import { defineRoute, type Route } from '../../shared/http/routing/define-route.ts'

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
  description: 'Answers at once and reads no data, so you may call it often. The answer has no envelope.',
  answer: Health,
  shape: 'raw',
  example: { answer: { status: 'ok', version: '0.1.0' } },
})

export const readOpenApi = defineRoute({
  method: 'GET',
  path: '/api/openapi.json',
  open: true,
  tag,
  summary: 'Get the OpenAPI document',
  description:
    'OpenAPI 3.1, generated from the route definitions that the service itself uses. Use it to generate a client.',
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
  open: true,
  tag,
  summary: 'Get the API reference',
  description: 'One HTML page without other resources, so a saved copy works offline.',
  answer: z.string(),
  shape: 'raw',
  contentType: 'text/html; charset=utf-8',
  example: { answer: '<!doctype html>\n<html lang="en">...' },
})

export const routes: readonly Route[] = [readHealth, readOpenApi, readDocs]
