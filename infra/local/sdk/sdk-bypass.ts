/**
 * The way around the SDK: an operation on items goes from the command to the embedded table and back, past a dozen
 * middlewares that make, sign and read a request nobody sends (40 µs a call, most of a small one). What fails, and every
 * call while a fault waits for one, takes the long way, so that errors and retries are the SDK's own.
 */
import { FailedCall, fromWire, isOnItems, toWire } from './object-protocol.ts'

interface Arguments {
  readonly input: object
}
type Handler = (args: Arguments) => Promise<{ output: object; response: unknown }>

/** As far as it is used here: the SDK's own types are not those of the client that a bundle carries. */
interface MiddlewareStack {
  add(
    middleware: (next: Handler, context: { readonly commandName?: string }) => Handler,
    options: { step: 'initialize'; priority: 'high'; name: string },
  ): void
}

/** A plugin for a DynamoDB client. `isOpen`: whether calls may take it now. */
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
            // The SDK makes its own error of it, as if this had been its first try.
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
