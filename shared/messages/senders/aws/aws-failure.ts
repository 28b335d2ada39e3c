import type { Outcome } from '../../deliveries/state/outcome.ts'

/** How long a service of AWS may take to accept a message, with the SDK's own attempts. */
export const awsTimeoutMs = 15_000

/** What was asked of a service of AWS, for the words of a failure. */
export interface AwsRequest {
  /** For example `the stream "orders"`. */
  readonly target: string
  /** The members of the channel that name it. */
  readonly members: string
  /** The action that the service needs to be permitted. */
  readonly action: string
  readonly sizeBytes: number
  /** The size that every target accepts. A larger message that is called invalid is too large. */
  readonly safeBytes: number
}

/**
 * The outcome of an error code of AWS. Its message is left out: it names accounts and roles of the operator, and
 * channels belong to tenants.
 */
export function awsFailure(code: string, request: AwsRequest): Outcome {
  const isInvalid = /Validation|InvalidArgument|TooLarge/.test(code)
  if (isInvalid && request.sizeBytes > request.safeBytes) return tooLarge(request, code)
  return { kind: 'failed', code, error: describe(code, request) }
}

/** The outcome of a message that its target never accepts. Without a code of AWS, the target was not asked. */
export const tooLarge = ({ target, sizeBytes }: AwsRequest, code?: string): Outcome => ({
  kind: 'refused',
  by: code === undefined ? 'service' : 'receiver',
  error: `The message has ${sizeBytes} bytes, which is more than ${target} accepts. Send less, or an address where the data can be read.`,
  ...(code !== undefined && { code }),
})

/**
 * The outcome of a call of AWS that threw. Throws the cause again when neither an answer nor the network was it.
 */
export function awsFailureOf(cause: unknown, signal: AbortSignal, request: AwsRequest): Outcome {
  const { name, code, $fault: fault } = cause as { name: string; code?: unknown; $fault?: string }
  if (signal.aborted)
    return { kind: 'failed', error: `AWS did not accept the message within ${awsTimeoutMs / 1000} s.` }
  if (fault !== undefined) return awsFailure(name, request)
  if (typeof code === 'string' || name === 'TimeoutError')
    return { kind: 'failed', error: `AWS could not be reached: ${typeof code === 'string' ? code : name}.` }
  throw cause
}

function describe(code: string, { target, members, action }: AwsRequest): string {
  if (/NotFound/.test(code) && !code.startsWith('KMS'))
    return `AWS does not know ${target}: create it, or correct ${members}.`
  if (code.startsWith('KMS'))
    return `The key that encrypts ${target} cannot be used (${code}): enable it, and allow this service to use it.`
  if (/AccessDenied|NotAuthorized/.test(code))
    return `This service may not write to ${target}: allow it ${action}, and check the policy of the target.`
  if (/Throughput|Throttl|LimitExceeded/.test(code))
    return `AWS accepts no more for ${target} now (${code}). If this lasts, raise its capacity.`
  return `AWS did not accept the message for ${target} (${code}).`
}
