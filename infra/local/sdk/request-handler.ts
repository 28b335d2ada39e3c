/** What an SDK client sends its requests with. Here they stay in this process. */
import type { WireAnswer, WireRequest } from './wire-messages.ts'

export interface RequestHandler {
  readonly metadata: { readonly handlerProtocol: string }
  handle(request: WireRequest, options?: { abortSignal?: AbortSignal }): Promise<{ response: WireAnswer }>
  destroy(): void
  updateHttpClientConfig(): void
  httpHandlerConfigs(): object
}

/** A handler that answers each request itself. */
export function requestHandler(
  answer: (request: WireRequest, signal?: AbortSignal) => Promise<WireAnswer>,
): RequestHandler {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request, options) {
      options?.abortSignal?.throwIfAborted?.()
      return { response: await answer(request, options?.abortSignal) }
    },
    destroy() {},
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  }
}

/** A service that is not embedded: its client can be created but every call fails. */
export function missingService(service: string): RequestHandler {
  return requestHandler(() => Promise.reject(new Error(`The local cloud does not run ${service}.`)))
}

/** An answer in AWS JSON. */
export function jsonAnswer(statusCode: number, body: unknown, headers?: Record<string, string>): WireAnswer {
  return {
    statusCode,
    headers: { 'content-type': 'application/x-amz-json-1.0', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  }
}
