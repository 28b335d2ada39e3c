/** What functions print. In AWS each function has a log group; here they share this process's stdout and stderr. */
import { currentScope } from './invocation-scope.ts'

/** Passes what functions print to `receive` instead. Returns a function that ends it. */
export function redirectOutput(receive: (functionName: string, text: string) => void): () => void {
  const restores = [process.stdout, process.stderr].map((stream) => {
    const write = stream.write
    const redirected = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      const scope = currentScope()
      if (!scope) return Reflect.apply(write, stream, [chunk, ...rest]) as boolean
      receive(scope.functionName, typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
      const done = rest.at(-1)
      if (typeof done === 'function') done()
      return true
    }
    stream.write = redirected as typeof write
    return () => (stream.write = write)
  })
  return () => restores.forEach((restore) => restore())
}
