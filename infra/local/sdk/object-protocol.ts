/**
 * How a bundle's DynamoDB client talks to the embedded table: the request as the objects it is made of. JSON there and back
 * was a third of what a list of records cost. Errors still travel as bytes, so that the client makes its own error classes
 * of them; the contract suite goes through JSON in process and over HTTP, and so says what the wire would refuse.
 */
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols'
import type { AttributeValue } from '../dynamodb/items/attribute-value.ts'

type SerializeRequest = AwsJson1_0Protocol['serializeRequest']
type DeserializeResponse = AwsJson1_0Protocol['deserializeResponse']

/** Operations on items: what they take and answer holds no dates and no numbers but those in attributes. */
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

/** The input of a call that was made already and failed: whoever handles the request answers with that, once. */
export class FailedCall {
  readonly input: object
  #failure: { readonly error: unknown } | undefined

  constructor(input: object, error: unknown) {
    this.input = input
    this.#failure = { error }
  }

  /** Throws how the call failed, the first time. */
  fail(): void {
    const failure = this.#failure
    this.#failure = undefined
    if (failure) throw failure.error
  }
}

/** A request body that never was bytes. */
export class ObjectBody {
  readonly input: object
  /** The SDK asks every body for its length, and throws an error inside where one cannot tell. */
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

  /** Generic in what it answers, which only the caller knows: `never` fits every caller. */
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

/** A copy as JSON would carry it: without members that are undefined, binary values in base64. */
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

/** Binary attribute values as bytes again, in place: the answer belongs to nobody else. */
export function fromWire(answer: object): object {
  // Names of an array's members are texts made for the occasion, and long pages have thousands.
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
  // Text and numbers are nearly all there is: looking no further into them halves what this costs.
  if (typeof (member as AttributeValue).S !== 'string' && typeof (member as AttributeValue).N !== 'string')
    fromWire(member)
}
