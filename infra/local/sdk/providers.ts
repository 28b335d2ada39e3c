/**
 * The options for the SDK clients in the bundles: requests stay in this process, unsigned, and go to the embedded
 * providers. Every call passes the call record, the meter, the permission check and the fault point.
 */

import type { Charge, Spend } from '../dynamodb/capacity/charges.ts'
import { currentScope, type Scope } from '../lambda/invocation-scope.ts'
import type { FairTurns } from '../turns/fair-turns.ts'
import { tenantOfCall } from '../turns/tenant-of-call.ts'
import type { CallRecord } from './call-record.ts'
import { AccessDenied, errorAnswer } from './error-answers.ts'
import { Throttled } from './faults/fault-point.ts'
import type { FaultPoint } from './faults/fault-point.ts'
import type { IsAllowed } from './iam/permissions.ts'
import { requiredPermissions } from './iam/required-permissions.ts'
import { amountOf } from './meter/amount-of.ts'
import type { Meter } from './meter/meter.ts'
import { ObjectBody, ObjectProtocol } from './object-protocol.ts'
import { bodyText, type WireProtocol } from './protocols/wire-protocol.ts'
import { jsonAnswer, missingService, type RequestHandler, requestHandler } from './request-handler.ts'
import { sdkBypass } from './sdk-bypass.ts'
import type { WireAnswer, WireRequest } from './wire-messages.ts'

/**
 * A provider whose input and output are JSON values. Throws `{ statusCode, body }` for errors of its service. `spend` is given when
 * somebody asks what the call costs.
 */
export type JsonProvider = (operation: string, input: any, spend?: Spend) => Promise<object>

export interface ProvidersOptions {
  readonly region: string
  readonly accountId: string
  /** Those that speak AWS JSON. */
  readonly json: Readonly<Record<string, JsonProvider>>
  /** Those that speak another protocol. */
  readonly others?: Readonly<Record<string, { readonly protocol: WireProtocol; readonly provider: JsonProvider }>>
  /** S3 is behind a real connection, so that presigned URLs work. */
  readonly objectStore: {
    request(request: WireRequest, signal?: AbortSignal): Promise<WireAnswer>
    endpoint(): Promise<SdkEndpoint>
    /** The key of its presigned URLs. */
    readonly secret: string
  }
  readonly faults: FaultPoint
  readonly record: CallRecord
  readonly meter: Meter
  readonly turns: FairTurns
  /** By function name. */
  readonly permissions: ReadonlyMap<string, IsAllowed>
}

export interface SdkEndpoint {
  readonly protocol: string
  readonly hostname: string
  readonly port: number
  readonly path: string
}

export interface Providers {
  /** Options for an SDK client. The caller is determined at each call. */
  clientOptions(service: string): Record<string, unknown>
  /** From now on no call is answered, as if the callers' processes had ended. */
  close(): void
}

const never = new Promise<never>(() => {})

export function openProviders({
  region,
  accountId,
  json,
  others = {},
  objectStore,
  faults,
  record,
  meter,
  turns,
  permissions,
}: ProvidersOptions): Providers {
  let closed = false

  /** Throws AccessDenied, worded as by AWS, unless the function's role allows the call. */
  function checkPermissions(functionName: string, service: string, operation: string, input: unknown): void {
    const isAllowed = permissions.get(functionName)
    if (!isAllowed) return
    for (const [action, resource, context] of requiredPermissions({ region, accountId }, service, operation, input)) {
      if (isAllowed(action, resource, context)) continue
      throw new AccessDenied(
        `${functionName} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
      )
    }
  }

  /** Makes a call when it is the turn of its tenant. One that names no tenant is of the tenant of the last call. */
  function inTurn<T>(scope: Scope | undefined, service: string, input: any, make: () => Promise<T>): Promise<T> {
    if (!scope) return make()
    if (service === 'dynamodb') scope.tenant = tenantOfCall(input) ?? scope.tenant
    return turns.call(scope, make)
  }

  /**
   * Makes one call of the current function: recorded, with faults applied, and never answered if its invocation has
   * ended.
   */
  async function callProvider<T>(
    service: string,
    operation: string,
    input: unknown,
    make: (input: any, spend?: Spend) => Promise<T>,
  ): Promise<T> {
    const scope = currentScope()
    if (closed || scope?.halted) return unanswered(scope !== undefined)
    const functionName = scope?.functionName ?? ''
    const charges: Charge[] = []
    const isMetered = meter.running
    const spend = isMetered || record.recording ? (charge: Charge) => void charges.push(charge) : undefined
    const ended = record.recording
      ? record.begin({
          service,
          operation,
          functionName,
          requestId: scope?.requestId ?? '',
          httpRequestId: scope?.httpRequestId,
          input,
          charges,
        })
      : undefined
    try {
      checkPermissions(functionName, service, operation, input)
      return await inTurn(scope, service, input, () =>
        faults.active
          ? faults.run({ service, operation, functionName, input }, (given) => make(given, spend))
          : make(input, spend),
      )
    } finally {
      if (isMetered)
        meter.countCall({ functionName, service, operation, charges, ...amountOf(service, input, charges) })
      if (ended) {
        // Concurrent calls have all started by the next turn of the event loop, so none counts as a round trip of its
        // own.
        await new Promise((resolve) => setImmediate(resolve))
        ended()
      }
      if (closed || scope?.halted) await unanswered(scope !== undefined)
    }
  }

  function jsonHandler(service: string, provider: JsonProvider): RequestHandler {
    return requestHandler(async (request) => {
      const target = request.headers['x-amz-target'] ?? ''
      const operation = target.slice(target.indexOf('.') + 1)
      const isObject = request.body instanceof ObjectBody
      const input = isObject ? (request.body as ObjectBody).input : JSON.parse(bodyText(request.body) || '{}')
      try {
        if (isObject) (request.body as ObjectBody).failed?.fail()
        const output = await callProvider(service, operation, input, (given, spend) =>
          provider(operation, given, spend),
        )
        return isObject ? { statusCode: 200, headers: {}, body: new ObjectBody(output) } : jsonAnswer(200, output)
      } catch (error) {
        const answer = errorAnswer(service, operation, input, error)
        if (answer) return jsonAnswer(answer.statusCode, answer.body, answer.headers)
        throw error
      }
    })
  }

  function protocolHandler(service: string, protocol: WireProtocol, provider: JsonProvider): RequestHandler {
    return requestHandler(async (request) => {
      const { operation, input } = protocol.read(request)
      try {
        const output = await callProvider(service, operation, input, (given) => provider(operation, given))
        return protocol.answer(operation, output)
      } catch (error) {
        const failed = errorAnswer(service, operation, input, error)
        if (failed) return protocol.failure(failed)
        throw error
      }
    })
  }

  const filesHandler = requestHandler(async (request, signal) => {
    const operation = String(request.query?.['x-id'] ?? request.method)
    const { method, path, query, headers } = request
    const input = { method, path, query, bytes: Number(headers['content-length'] ?? 0) }
    try {
      return await callProvider('s3', operation, input, () => objectStore.request(request, signal))
    } catch (error) {
      if (error instanceof AccessDenied) {
        const denied = `<Error><Code>AccessDenied</Code><Message>${error.message}</Message></Error>`
        return { statusCode: 403, headers: { 'content-type': 'application/xml' }, body: Buffer.from(denied) }
      }
      if (!(error instanceof Throttled)) throw error
      const body = '<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>'
      return { statusCode: 503, headers: { 'content-type': 'application/xml' }, body: Buffer.from(body) }
    }
  })

  const common = {
    region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    signer: { sign: async (request: unknown) => request },
    // Building this header took a tenth of a call, and nothing reads it.
    defaultUserAgentProvider: async () => [],
  }
  const inProcess = { ...common, endpoint: 'http://in-process' }
  const optionsOf: Record<string, Record<string, unknown>> = {
    s3: {
      ...common,
      credentials: { accessKeyId: 'local', secretAccessKey: objectStore.secret },
      endpoint: objectStore.endpoint,
      forcePathStyle: true,
      requestHandler: filesHandler,
    },
  }
  for (const [service, provider] of Object.entries(json)) {
    optionsOf[service] = { ...inProcess, requestHandler: jsonHandler(service, provider) }
  }
  for (const [service, { protocol, provider }] of Object.entries(others)) {
    optionsOf[service] = { ...inProcess, requestHandler: protocolHandler(service, protocol, provider) }
  }
  const table = json['dynamodb']
  if (table) {
    const direct = sdkBypass(
      (operation, input) =>
        callProvider('dynamodb', operation, input, (given, spend) => table(operation, given, spend)),
      () => !faults.active,
    )
    Object.assign(optionsOf['dynamodb'] as object, { protocol: ObjectProtocol, plugins: [direct] })
  }
  // Queue URLs name no real host, and checking digests is pointless within a process.
  Object.assign(optionsOf['sqs'] ?? {}, { useQueueUrlAsEndpoint: false, md5: false })

  return {
    clientOptions: (service) => optionsOf[service] ?? { ...inProcess, requestHandler: missingService(service) },
    close() {
      closed = true
    },
  }
}

/** A function whose invocation has ended never gets an answer; any other caller gets an error. */
const unanswered = (isFunction: boolean): Promise<never> =>
  isFunction ? never : Promise.reject(new Error('The local cloud is stopped.'))
