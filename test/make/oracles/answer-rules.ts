import { Ajv2020 } from 'ajv/dist/2020.js'
import type {
  OpenApiDocument,
  Reference,
  ResponseObject,
} from '../../../shared/platform/http/openapi/document-types.ts'

type Validator = ReturnType<Ajv2020['compile']>

/** Checks answers against the OpenAPI document of the service: what is wrong with one, or undefined. */
export function answerRules(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false })
  ajv.addSchema({ $id: 'doc:', components: document.components })
  const compiled = new Map<object, Validator>()

  function validator(schema: object): Validator {
    const known = compiled.get(schema)
    if (known) return known
    // References in the document start at its root.
    const made = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"doc:#/')) as object)
    compiled.set(schema, made)
    return made
  }

  function responseOf(method: string, path: string, status: number): ResponseObject | undefined {
    const found = document.paths[path]?.[method.toLowerCase()]?.responses[String(status)]
    if (!found || !('$ref' in found)) return found as ResponseObject | undefined
    return document.components.responses[(found as Reference).$ref.split('/').at(-1) as string]
  }

  function problem(
    method: string,
    path: string,
    answer: { readonly status: number; readonly headers: Headers; readonly body: unknown },
  ): string | undefined {
    const response = responseOf(method, path, answer.status)
    if (!response) return `the document has no answer ${answer.status}`
    if (!response.content) return answer.body === undefined ? undefined : `${answer.status} has a body`
    const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
    const content = response.content[type]
    if (!content) return `${answer.status} is ${type || 'of no type'}`
    if (type !== 'application/json') return undefined
    return schemaProblem(content.schema, answer.body)
  }

  function schemaProblem(schema: object, value: unknown): string | undefined {
    const isValid = validator(schema)
    return isValid(value) ? undefined : ajv.errorsText(isValid.errors, { dataVar: 'answer' })
  }

  /** Whether the document has an answer of this status. */
  const declares = (method: string, path: string, status: number): boolean =>
    responseOf(method, path, status) !== undefined

  return { problem, schemaProblem, declares }
}
