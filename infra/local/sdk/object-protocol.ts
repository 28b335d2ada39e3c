/**
 * The protocol between a bundle's DynamoDB client and the embedded table: requests and answers stay objects, because
 * JSON took a third of the time of a list. Errors travel as bytes, so that the client creates its own error classes.
 * The contract tests also use JSON, in process and over HTTP.
 */
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols'
import type { AttributeValue } from '../dynamodb/items/attribute-value.ts'

type SerializeRequest = AwsJson1_0Protocol['serializeRequest']
type DeserializeResponse = AwsJson1_0Protocol['deserializeResponse']

/** Operations on items. Their inputs and outputs hold no dates, and numbers in attributes only. */
const operationsOnItems: ReadonlySet<string> = new Set([
  'GetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'Query',
  'BatchGetItem',
  'BatchWriteItem',
  'TransactWriteItems',
  'TransactGetItems',
])

export const isOnItems = (operation: string): boolean => operationsOnItems.has(operation)

/** The input of a call that failed already. Whoever handles the request throws that failure, once. */
export class FailedCall {
  readonly input: object
  #failure: { readonly error: unknown } | undefined

  constructor(input: object, error: unknown) {
    this.input = input
    this.#failure = { error }
  }

  /** Throws the failure, the first time only. */
  fail(): void {
    const failure = this.#failure
    this.#failure = undefined
    if (failure) throw failure.error
  }
}

/** A request body that is an object, not bytes. */
export class ObjectBody {
  readonly input: object
  /** The SDK asks every body for its length, and throws if there is none. */
  readonly byteLength = 0
  readonly failed?: FailedCall

  constructor(input: object, failed?: FailedCall) {
    this.input = input
    this.failed = failed
  }
}

export class ObjectProtocol extends AwsJson1_0Protocol {
  override async serializeRequest(
    ...[operation, input, context]: Parameters<SerializeRequest>
  ): ReturnType<SerializeRequest> {
    if (!isOnItems(operation.name)) return super.serializeRequest(operation, input, context)
    const failed = (input as unknown) instanceof FailedCall ? (input as unknown as FailedCall) : undefined
    const headers = { 'x-amz-target': `${this.serviceTarget}.${operation.name}` }
    return {
      protocol: 'http:',
      hostname: 'in-process',
      method: 'POST',
      path: '/',
      query: {},
      headers,
      body: new ObjectBody(toWire(failed ? failed.input : input) as object, failed),
    }
  }

  /** The return type depends on the caller; `never` fits all. */
  override async deserializeResponse(
    ...[operation, context, response]: Parameters<DeserializeResponse>
  ): Promise<never> {
    const { body, statusCode } = response
    const answer =
      body instanceof ObjectBody
        ? { ...fromWire(body.input), $metadata: { httpStatusCode: statusCode } }
        : await super.deserializeResponse(operation, context, response)
    return answer as never
  }
}

/** A copy as JSON would carry it: without undefined members, with binary values in base64. */
export function toWire(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  if (Array.isArray(value)) return value.map(toWire)
  const copy: Record<string, unknown> = {}
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name]
    if (member !== undefined) copy[name] = toWire(member)
  }
  return copy
}

/** Decodes binary attribute values, in place. */
export function fromWire(answer: object): object {
  // Iterating an array by index avoids a string per member; long pages have thousands.
  if (Array.isArray(answer)) for (const member of answer) fromWireMember(member)
  else {
    const value = answer as Record<string, unknown>
    for (const name in value) {
      const member = value[name]
      if (name === 'B' && typeof member === 'string') value[name] = new Uint8Array(Buffer.from(member, 'base64'))
      else fromWireMember(member)
    }
  }
  return answer
}

function fromWireMember(member: unknown): void {
  if (typeof member !== 'object' || member === null) return
  // Most values are texts and numbers: skipping them halves the cost.
  if (typeof (member as AttributeValue).S !== 'string' && typeof (member as AttributeValue).N !== 'string')
    fromWire(member)
}
