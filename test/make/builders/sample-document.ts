/** The document of the sample routes, and what it says about each. */
import * as z from 'zod'
import type { JsonSchema, OpenApiDocument, Operation } from '../../../shared/platform/http/openapi/document-types.ts'
import { openApiDocument } from '../../../shared/platform/http/openapi/openapi-document.ts'
import { defineRoute, signedIn, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { sampleRoutes } from './sample-routes.ts'

export const info = { version: '1.2.3', serverUrl: 'https://api.example.com' }
export const document = openApiDocument(sampleRoutes, info)
export const operation = (key: string): Operation => {
  const [method = '', path = ''] = key.split(' ')
  return document.paths[path]?.[method.toLowerCase()] as Operation
}
export const answer = (key: string, status: string) => {
  const response = operation(key).responses[status]
  if (!response || '$ref' in response) throw new Error(`${key} has no answer ${status} of its own`)
  return response
}
export const resolve = (schema: JsonSchema = {}, { components } = document): JsonSchema =>
  schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split('/').at(-1) as string] ?? {})
export const json = (key: string, status = '200') => {
  const content = answer(key, status).content?.['application/json']
  return content && { ...content, schema: resolve(content.schema) }
}
export const bodyOf = ({ paths, components }: OpenApiDocument, path: string): JsonSchema =>
  resolve(paths[path]?.post?.requestBody?.content['application/json']?.schema, { ...document, components })

/** A route that makes a thing, with this body and answer. */
export function makeThing(parts: { body?: z.ZodType; answer?: z.ZodType }): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/things',
    permission: signedIn,
    tag: 'Things',
    summary: 'Make',
    status: 201,
    answer: z.undefined(),
    ...parts,
  })
}
