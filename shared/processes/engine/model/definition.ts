import { Context, Definition, Environment } from 'bpmn-elements'
import { deserialize } from 'moddle-context-serializer'
import type { CompiledProcess } from '../../definition/compiled-process.ts'
import { resolveType } from './resolve-type.ts'
import type { MoveTokens } from './token-process.ts'

type SerializableContext = Parameters<typeof Context>[0]

const definitions = new WeakMap<CompiledProcess, SerializableContext>()

/** The definition of a compiled process; read once for each that is held in memory. */
export function definitionOf(compiled: CompiledProcess): SerializableContext {
  const known = definitions.get(compiled)
  if (known !== undefined) return known
  // Resolving types writes into what it is given.
  const definition = deserialize(
    structuredClone(compiled.context) as Parameters<typeof deserialize>[0],
    resolveType,
  ) as unknown as SerializableContext
  definitions.set(compiled, definition)
  return definition
}

/** Has bpmn-elements run a definition until its process is over, or until all of its tokens wait. Rejects with what the tokens reject with. */
export function runDefinition(compiled: CompiledProcess, moveTokens: MoveTokens): Promise<'running' | 'completed'> {
  return new Promise((resolve, reject) => {
    // An error that went through the queues of the engine may not be itself any more.
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
