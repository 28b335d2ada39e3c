import type { LimitArea } from './limits/explained.ts'

/** An OpenAPI 3.1 document, as far as this service writes it and the reference page reads it. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly contact: object
    readonly license: object
    /** Tables whose types did not fit into the answer. */
    readonly 'x-left-out-tables'?: readonly string[]
  }
  readonly servers: readonly { readonly url: string }[]
  /** Every declared limit, by area. */
  readonly 'x-limits': readonly LimitArea[]
  readonly security: readonly SecurityRequirement[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, ResponseObject>>
    readonly headers: Readonly<Record<string, HeaderObject>>
    readonly parameters?: Readonly<Record<string, Parameter>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

type SecurityRequirement = Readonly<Record<string, readonly string[]>>

export type Reference = { readonly $ref: string }

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security?: readonly SecurityRequirement[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>
  /** Who may call, in short. */
  readonly 'x-permission': string
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  /** How a list is serialized. */
  readonly style?: 'form'
  readonly explode?: false
  readonly schema: JsonSchema
  readonly example?: unknown
}

export interface HeaderObject {
  readonly description: string
  readonly schema: JsonSchema
}

export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, HeaderObject | Reference>>
  readonly content?: Content
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>

/** A JSON Schema (draft 2020-12). Names the keywords that the writer and the page read. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly additionalProperties?: JsonSchema | boolean
}

export const schemaAt = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` })
