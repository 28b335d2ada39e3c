/** A function of the template, with one or more instances that share its invocations. */
import { type Random } from '../runtime/timing/randomness.ts'
import { openInstance } from './function-instance.ts'
import type { FunctionDefinition, FunctionInstance, InvokeOptions } from './function-instance.ts'

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
