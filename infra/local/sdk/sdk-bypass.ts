/**
 * The SDK bypass: operations on items go directly to the embedded table, without the SDK's middleware, which
 * adds a quarter to the CPU of writes and a third to that of reads (decision 0120).
 * Failed calls, and all calls while a fault is armed, go through the SDK, so that errors and retries are the SDK's
 * own (docs/decisions/0028).
 */
import { FailedCall, fromWire, isOnItems, toWire } from './object-protocol.ts'

interface Arguments {
  readonly input: object
}
type Handler = (args: Arguments) => Promise<{ output: object; response: unknown }>

/** Only what is used here: a bundle carries its own copy of the SDK's types. */
interface MiddlewareStack {
  add(
    middleware: (next: Handler, context: { readonly commandName?: string }) => Handler,
    options: { step: 'initialize'; priority: 'high'; name: string },
  ): void
}

/** A plugin for a DynamoDB client. `isOpen`: whether calls may bypass the SDK now. */
export const sdkBypass = (call: (operation: string, input: object) => Promise<object>, isOpen: () => boolean) => ({
  applyToStack(stack: MiddlewareStack): void {
    stack.add(
      (next, { commandName = '' }) => {
        const operation = commandName.replace(/Command$/, '')
        if (!isOnItems(operation)) return next
        return async (args) => {
          if (!isOpen()) return next(args)
          let answer: object
          try {
            answer = await call(operation, toWire(args.input) as object)
          } catch (error) {
            // The SDK then handles the error as if it came from its own first attempt.
            return next({ ...args, input: new FailedCall(args.input, error) })
          }
          return {
            output: Object.assign(fromWire(answer), { $metadata: { httpStatusCode: 200 } }),
            response: undefined,
          }
        }
      },
      { step: 'initialize', priority: 'high', name: 'localSdkBypass' },
    )
  },
})
