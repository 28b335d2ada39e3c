/**
 * How a bundle's DynamoDB client talks to the embedded table: the request as the objects it is made of. JSON there and back
 * was a third of what a list of records cost. Errors still travel as bytes, so that the client makes its own error classes
 * of them; the contract suite goes through JSON in process and over HTTP, and so says what the wire would refuse.
 */
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols'

type SerializeRequest = AwsJson1_0Protocol['serializeRequest']
type DeserializeResponse = AwsJson1_0Protocol['deserializeResponse']

/** Operations on items: what they take and answer holds no dates and no numbers but those in attributes. */
const onItems: ReadonlySet<string> = new Set([
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

/** A request body that never was bytes. */
export class ObjectBody {
  readonly input: object

  constructor(input: object) {
    this.input = input
  }
}

export class ObjectProtocol extends AwsJson1_0Protocol {
  override async serializeRequest(...[operation, input, context]: Parameters<SerializeRequest>): ReturnType<SerializeRequest> {
    const isPlain = onItems.has(operation.name)
    const request = await super.serializeRequest(operation, isPlain ? ({} as typeof input) : input, context)
    if (isPlain) request.body = new ObjectBody(toWire(input) as object)
    return request
  }

  /** Generic in what it answers, which only the caller knows: `never` fits every caller. */
  override async deserializeResponse(...[operation, context, response]: Parameters<DeserializeResponse>): Promise<never> {
    const { body, statusCode } = response
    const answer = body instanceof ObjectBody ? { ...fromWire(body.input), $metadata: { httpStatusCode: statusCode } } : await super.deserializeResponse(operation, context, response)
    return answer as never
  }
}

/** A copy as JSON would carry it: without members that are undefined, binary values in base64. */
function toWire(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  if (Array.isArray(value)) return value.map(toWire)
  const copy: Record<string, unknown> = {}
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name]
    if (member !== undefined) copy[name] = toWire(member)
  }
  return copy
}

/** Binary attribute values as bytes again, in place: the answer belongs to nobody else. */
function fromWire(value: object): object {
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name]
    if (typeof member === 'object' && member !== null) fromWire(member)
    else if (name === 'B' && typeof member === 'string') (value as Record<string, unknown>)[name] = new Uint8Array(Buffer.from(member, 'base64'))
  }
  return value
}
