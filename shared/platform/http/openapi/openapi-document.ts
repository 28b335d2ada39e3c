import type * as z from 'zod'
import { byName, own } from '../../../kernel/collections/own-members.ts'
import type { TokenKind } from '../../../kernel/principal.ts'
import type { Route, RoutePermission } from '../routing/define-route.ts'
import { apiDescription, tagDescriptions } from './api-description.ts'
import type { OpenApiDocument, Operation } from './document-types.ts'
import { failureResponses, failureSchema, sharedFailures, sharedHeaders } from './failure-responses.ts'
import { limitAreas } from './limits/limit-areas.ts'
import { limitsSection } from './limits/limits-section.ts'
import { nameDuplicates } from './name-duplicates.ts'
import { operationIdOf } from './operation-id.ts'
import { exampleOf, parametersOf, pathNames } from './parameters.ts'
import { schemaWriter, type SchemaWriter } from './schema-writer.ts'
import {
  acceptedResponse,
  notModifiedResponse,
  pageSchemas,
  redirectResponse,
  successResponse,
} from './success-responses.ts'
import { withoutUnused } from './without-unused.ts'

export interface ServiceInfo {
  readonly version: string
  /** The base URL of the service without a slash at the end; empty when it is not configured. */
  readonly serverUrl: string
  /** Names of schemas in the document, besides the ids that schemas have themselves. */
  readonly names?: ReadonlyMap<z.ZodType, string>
}

/** Writes the OpenAPI 3.1 document of these routes. The same routes give the same document, byte for byte. */
export function openApiDocument(routes: readonly Route[], info: ServiceInfo): OpenApiDocument {
  const writer = schemaWriter(info.names)
  const paths: Record<string, Record<string, Operation>> = byName()
  const operationIds = new Set<string>()
  for (const route of byTag(routes)) {
    const operation = operationOf(route, info, writer)
    if (operationIds.has(operation.operationId))
      throw new Error(`${route.key}: the operationId ${operation.operationId} is taken`)
    operationIds.add(operation.operationId)
    const methods = paths[route.path] ?? byName<Operation>()
    paths[route.path] = methods
    if (methods[route.method.toLowerCase()]) throw new Error(`${route.key} is declared twice`)
    methods[route.method.toLowerCase()] = operation
  }
  return withoutUnused(
    nameDuplicates({
      openapi: '3.1.1',
      info: {
        title: 'Entity and Workflow Service',
        version: info.version,
        description: `${apiDescription}\n\n${limitsSection()}`,
        contact: { name: 'The administrators of this installation' },
        license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      },
      'x-limits': limitAreas,
      servers: [{ url: info.serverUrl || '/' }],
      security: [{ bearer: [] }],
      tags: tagsOf(routes).map((name) => ({
        name,
        ...(Object.hasOwn(tagDescriptions, name) && { description: own(tagDescriptions, name) }),
      })),
      paths,
      components: {
        schemas: { Failure: failureSchema, ...pageSchemas, ...writer.shared() },
        responses: sharedFailures(),
        headers: sharedHeaders,
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'The `token` of a login result, of the form `<number>|<secret>`.',
          },
        },
      },
    }),
  )
}

function operationOf(route: Route, info: ServiceInfo, writer: SchemaWriter): Operation {
  const operationId = operationIdOf(route)
  const access = permissionOf(route.permission)
  const parameters = parametersOf(route, operationId, writer)
  const schemaName = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, access.sentence, refusalOf(route)].filter(Boolean).join('\n\n'),
    'x-permission': access.short,
    ...(route.open && { security: route.takesToken ? [{}, { bearer: [] }] : [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse(undefined).success,
        content: {
          'application/json': {
            schema: writer.writeNamed(route.body, `${schemaName}Body`),
            ...(route.example?.body !== undefined && { example: route.example.body }),
          },
          ...Object.fromEntries(
            Object.entries(route.alsoTakes ?? {}).map(([type, example]) => [
              type,
              { schema: { type: 'string' as const }, example },
            ]),
          ),
        },
      },
    }),
    responses: {
      [route.status]: successResponse(route, writer, schemaName, info.serverUrl + exampleAddress(route)),
      ...(route.mayRedirect && { 302: redirectResponse }),
      ...(route.hasEtag && { 304: notModifiedResponse }),
      ...(route.accepted && { 202: acceptedResponse(route.accepted, writer, schemaName) }),
      ...failureResponses(route),
    },
  }
}

const exampleAddress = (route: Route): string =>
  pathNames(route.path).reduce(
    (path, name) => path.replace(`{${name}}`, encodeURIComponent(exampleOf(route, name))),
    route.path as string,
  )

/** Who may call, in short and as a sentence. */
function permissionOf(permission: RoutePermission | undefined): { readonly short: string; readonly sentence: string } {
  if (!permission) return { short: 'open', sentence: 'Open: needs no token.' }
  switch (permission.kind) {
    case 'signed-in':
      return { short: 'signed in', sentence: 'Permission: any signed-in user.' }
    case 'administrator':
      return { short: 'administrator', sentence: 'Permission: administrators only.' }
    case 'table': {
      const names = [permission.action, ...(permission.or ? [permission.or] : [])].map((action) => `<table>.${action}`)
      const named = names.map((name) => `\`${name}\``).join(' or ')
      return { short: names.join(' or '), sentence: `Permission: ${named}; administrators pass.` }
    }
    case 'named': {
      const name = `${permission.on}.${permission.action}`
      return { short: name, sentence: `Permission: \`${name}\`; administrators pass.` }
    }
  }
}

/** Which tokens the route refuses, as a sentence. */
function refusalOf({ refusedTo = [] }: Route): string | undefined {
  const refused = refusedTo.map((kind) => tokenNames[kind])
  return refused.length === 0 ? undefined : `Refused (403): ${refused.join(', ')}.`
}

const tokenNames: Readonly<Record<TokenKind, string>> = {
  session: 'sessions',
  provider_session: 'sessions that an identity provider vouches for',
  tenant_session: 'sessions that the identity provider of one company vouches for',
  impersonation: 'tokens that act as another user',
  api_key: 'API keys',
}

/** The tags in the order of their descriptions, then all others. */
function tagsOf(routes: readonly Route[]): string[] {
  const used = [...new Set(routes.map((route) => route.tag))]
  const known = Object.keys(tagDescriptions).filter((tag) => used.includes(tag))
  return [...known, ...used.filter((tag) => !known.includes(tag))]
}

const byTag = (routes: readonly Route[]): Route[] =>
  tagsOf(routes).flatMap((tag) => routes.filter((route) => route.tag === tag))
