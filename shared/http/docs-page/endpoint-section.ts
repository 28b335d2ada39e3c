import type { JsonSchema, OpenApiDocument, Operation, Parameter, ResponseObject } from '../openapi/document-types.ts'
import { fieldRows, resolve, rowTable, typeName } from './field-rows.ts'
import { blockMarkup, compactJson, escapeHtml, inlineMarkup, jsonMarkup } from './markup.ts'

export interface Endpoint {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

const methodOrder = ['get', 'post', 'put', 'patch', 'delete']

/** The endpoints of a tag in the order of the document. */
export const endpointsOf = (document: OpenApiDocument, tag: string): Endpoint[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    methodOrder.flatMap((method) => {
      const operation = operations[method]
      return operation?.tags.includes(tag) ? [{ method: method.toUpperCase(), path, operation }] : []
    }),
  )

export const methodBadge = (method: string): string =>
  `<span class="method ${method.toLowerCase()}">${escapeHtml(method)}</span>`

/** A path with highlighted parameters, which may wrap after a slash. */
export const pathMarkup = (path: string): string =>
  escapeHtml(path)
    .replace(/\{\w+\}/g, (name) => `<span class="param">${name}</span>`)
    .replace(/(?<!<)\/(?=[^>])/g, '/<wbr>')

export function endpointSection(document: OpenApiDocument, endpoint: Endpoint): string {
  const { method, path, operation } = endpoint
  const id = escapeHtml(operation.operationId)
  const [status, response] = successOf(operation)
  const answer = Object.values(response?.content ?? {})[0]
  const body = operation.requestBody?.content['application/json']
  return `<section class="endpoint" id="${id}" aria-labelledby="${id}-title">
<div class="prose">
<h3 id="${id}-title"><a href="#${id}">${escapeHtml(operation.summary)}</a></h3>
<p class="address">${methodBadge(method)} <code>${pathMarkup(path)}</code></p>
${descriptionMarkup(operation)}
${parameterTable(document, operation.parameters ?? [])}
${body ? rowTable(fieldRows(document, body.schema), 'Body', 'required') : ''}
${answer ? answerTable(document, answer.schema) : ''}
${statusTable(document, operation)}
</div>
<div class="code">
${codeFigure('Request', escapeHtml(curlOf(document, endpoint)))}
${codeFigure(`Answer ${status}`, answerExample(answer))}
</div>
</section>`
}

export const codeFigure = (title: string, html: string): string =>
  `<figure class="sample"><figcaption>${escapeHtml(title)}</figcaption><pre tabindex="0"><code>${html}</code></pre></figure>`

/** A description, whose last paragraph says who may call. */
function descriptionMarkup(operation: Operation): string {
  const paragraphs = operation.description.split('\n\n')
  const access = paragraphs.pop() ?? ''
  return `${blockMarkup(paragraphs.join('\n\n'))}
<p class="access${operation.security?.length === 0 ? ' open' : ''}"><span>${inlineMarkup(access)}</span></p>`
}

/** The fields of the payload, without the envelope, which Basics describes. */
function answerTable(document: OpenApiDocument, schema: JsonSchema): string {
  const { data } = schema.properties ?? {}
  const payload = schema.allOf?.[0] ?? data ?? schema
  const rows = fieldRows(document, payload)
  if (rows.length === 0) return ''
  const label = schema.allOf
    ? 'at the top level and in <code>data</code>'
    : data?.type === 'array'
      ? 'of each row in <code>data</code>'
      : data
        ? 'in <code>data</code>'
        : ''
  return `<details class="more"><summary>Answer fields <span>${label}</span></summary>${rowTable(rows, 'Answer', 'optional')}</details>`
}

function answerExample(answer: { readonly example?: unknown } | undefined): string {
  if (!answer) return '<span class="comment"># no body</span>'
  if (answer.example === undefined) return '<span class="comment"># see the fields</span>'
  return typeof answer.example === 'string' ? escapeHtml(answer.example) : jsonMarkup(answer.example)
}

function successOf(operation: Operation): [string, ResponseObject | undefined] {
  const [status, response] = Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? [
    '200',
    undefined,
  ]
  return [status, response && !('$ref' in response) ? response : undefined]
}

function parameterTable(document: OpenApiDocument, parameters: readonly Parameter[]): string {
  const locations = [
    ['path', 'In the path'],
    ['query', 'In the query'],
    ['header', 'Headers'],
  ] as const
  return locations
    .map(([location, caption]) => {
      const rows = parameters
        .filter((parameter) => parameter.in === location)
        .map(({ name, required, description, schema }) => ({
          name,
          type: typeName(document, schema),
          required,
          schema: { ...resolve(document, schema), ...(description !== undefined && { description }) },
        }))
      return rowTable(rows, caption, 'required')
    })
    .join('')
}

function statusTable(document: OpenApiDocument, operation: Operation): string {
  const rows = Object.entries(operation.responses).map(([status, response]) => {
    const shared =
      '$ref' in response
        ? document.components.responses[response.$ref.replace('#/components/responses/', '')]
        : response
    return `<li><span class="status s${escapeHtml(status.charAt(0))}">${escapeHtml(status)}</span> <span>${inlineMarkup(shared?.description ?? '')}</span></li>`
  })
  return `<details class="more statuses"><summary>Possible statuses <span>${Object.keys(operation.responses).map(escapeHtml).join(' · ')}</span></summary><ul>${rows.join('')}</ul></details>`
}

/** The example request as a shell command, which runs when `$TOKEN` is set. */
export function curlOf(document: OpenApiDocument, { method, path, operation }: Endpoint): string {
  const parameters = operation.parameters ?? []
  const address = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((filled, { name, example }) => filled.replace(`{${name}}`, encodeURIComponent(String(example))), path)
  const query = new URLSearchParams(
    parameters
      .filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
      .map((parameter): [string, string] => [parameter.name, String(parameter.example)]),
  ).toString()
  const body = operation.requestBody?.content['application/json']
  const isOpen = operation.security?.length === 0
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${serverOf(document)}${address}${query && `?${query}`}`)}`,
    ...(isOpen ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(compactJson(body.example ?? {}, '  '))}`] : []),
  ].join(' \\\n  ')
}

/** The base URL of the service; the one of a local service when the document has none. */
export const serverOf = (document: OpenApiDocument): string => {
  const url = document.servers[0]?.url ?? '/'
  return url === '/' ? 'http://localhost:3000' : url
}

/** Quotes a text as one word for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
