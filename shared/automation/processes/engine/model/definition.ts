import { Context, Definition, Environment } from 'bpmn-elements'
import { deserialize } from 'moddle-context-serializer'
import type { CompiledProcess } from '../../definition/compiled-process.ts'
import { resolveType } from './resolve-type.ts'
import type { MoveTokens } from './token-process.ts'

type SerializableContext = Parameters<typeof Context>[0]

const definitions = new WeakMap<CompiledProcess, SerializableContext>()

/** The definition of a compiled process, cached for as long as that object is in memory. */
export function definitionOf(compiled: CompiledProcess): SerializableContext {
  const known = definitions.get(compiled)
  if (known !== undefined) return known
  // `deserialize` changes its argument.
  const definition = deserialize(
    structuredClone(compiled.context) as Parameters<typeof deserialize>[0],
    resolveType,
  ) as unknown as SerializableContext
  definitions.set(compiled, definition)
  return definition
}

/**
 * Runs a definition in bpmn-elements until its process is completed or all of its tokens wait.
 * Rejects with the error that `moveTokens` rejects with.
 */
export function runDefinition(compiled: CompiledProcess, moveTokens: MoveTokens): Promise<'running' | 'completed'> {
  return new Promise((resolve, reject) => {
    // Rejects here, because the engine's queues may replace the error object.
    const services = {
      moveTokens: () => moveTokens().catch((error: unknown) => (reject(error), Promise.reject(error))),
    }
    const definition = new Definition(Context(definitionOf(compiled), new Environment({ services })))
    definition.broker.subscribeTmp('event', 'process.wait', () => resolve('running'), { noAck: true })
    definition.on('leave', () => resolve('completed'))
    definition.on('error', reject)
    definition.run({ processId: compiled.processId })
  })
}
