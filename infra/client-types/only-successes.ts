import type { OpenApiDocument, Operation } from '../../shared/platform/http/openapi/document-types.ts'
import { withoutUnused } from '../../shared/platform/http/openapi/without-unused.ts'

/**
 * The document without failures, headers of answers and examples: the client throws every failure as an ApiError, so
 * that their types would only make those of an operation long.
 */
export function onlySuccesses(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, successful(operation)])),
    ]),
  )
  return withoutUnused({ ...document, paths, components: { ...document.components, responses: {}, headers: {} } })
}

function successful(operation: Operation): Operation {
  const responses = Object.entries(operation.responses).flatMap(([status, response]) =>
    status.startsWith('4') || status.startsWith('5') || '$ref' in response
      ? []
      : [
          [
            status,
            {
              description: response.description,
              ...(response.content && { content: withoutExamples(response.content) }),
            },
          ] as const,
        ],
  )
  const { requestBody } = operation
  return {
    ...operation,
    ...(requestBody && { requestBody: { ...requestBody, content: withoutExamples(requestBody.content) } }),
    responses: Object.fromEntries(responses),
  }
}

type Content = NonNullable<Operation['requestBody']>['content']

const withoutExamples = (content: Content): Content =>
  Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, { schema }]))
