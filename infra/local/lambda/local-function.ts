/** A function of the template, with one or more instances that share its invocations. */
import type { Random } from '../runtime/timing/randomness.ts'
import {
  type FunctionDefinition,
  type FunctionInstance,
  type InvokeOptions,
  openInstance,
} from './function-instance.ts'
import { currentScope } from './invocation-scope.ts'

export interface LocalFunction extends Pick<FunctionInstance, 'invoke' | 'warm'> {
  readonly definition: FunctionDefinition
}

export interface FunctionOptions extends InvokeOptions {
  /** Unlike in Lambda they are all there is: when all are busy, invocations share them. Default 1. */
  readonly instances?: number
  readonly random?: Random
}

/** Defines a function. Each of its instances imports the bundle when its first invocation comes (or by `warm`). */
export function defineFunction(definition: FunctionDefinition, options: FunctionOptions): LocalFunction {
  const { instances: count = 1, random = Math.random } = options
  const instances = Array.from({ length: count }, () => openInstance(definition, options))

  /** Any of those with the fewest invocations: Lambda promises no order. */
  function pick(): FunctionInstance {
    if (count === 1) return instances[0]!
    const fewest = Math.min(...instances.map(({ running }) => running))
    const free = instances.filter(({ running }) => running === fewest)
    return free[Math.floor(random() * free.length)]!
  }

  return {
    definition,
    invoke: (event, httpRequestId) => pick().invoke(event, httpRequestId),
    async warm() {
      for (const instance of instances) await instance.warm()
    },
  }
}

// What functions print. In AWS each function has a log group; here they share this process's stdout and stderr.

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
