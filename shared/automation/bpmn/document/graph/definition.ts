import * as Elements from 'bpmn-elements'
import { Context, Definition, Environment } from 'bpmn-elements'
import serializer, { deserialize, TypeResolver } from 'moddle-context-serializer'
import type { CompiledProcess } from '../../shapes/compiled-process.ts'
import { type MoveTokens, TokenProcess } from './token-process.ts'

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

type Resolve = ReturnType<typeof TypeResolver>

const resolveKnown = TypeResolver({ ...Elements, Process: TokenProcess })

/** The bpmn-elements class of an element. Types it does not know (interfaces, item definitions, ...) do nothing. */
export const resolveType: Resolve = (entity) => {
  try {
    return resolveKnown(entity)
  } catch {
    Object.assign(entity, { Behaviour: Elements.Dummy })
  }
}

/** Turns what moddle's `fromXML` resolves to into the JSON that the engine starts from. */
export function serializeContext(moddleContext: unknown): unknown {
  const { rootElement, ...rest } = moddleContext as { rootElement: { rootElements?: readonly { $type: string }[] } }
  // The serializer fails on message flows of pools without a process, and we do not run pools.
  const rootElements = (rootElement.rootElements ?? []).filter((element) => element.$type !== 'bpmn:Collaboration')
  const withoutPools = {
    ...rest,
    rootElement: Object.create(rootElement, { rootElements: { value: rootElements } }) as unknown,
  }
  const context = JSON.parse(
    serializer(withoutPools as unknown as Parameters<typeof serializer>[0], resolveType).serialize(),
  ) as SerializedContext
  for (const { behaviour } of [...context.processes, ...context.activities, ...context.sequenceFlows]) {
    // Every element is listed in the context itself, so these copies are never read.
    delete behaviour?.flowElements
    delete behaviour?.extensionElements
  }
  return context
}

interface SerializedContext {
  readonly processes: readonly Described[]
  readonly activities: readonly Described[]
  readonly sequenceFlows: readonly Described[]
}
interface Described {
  readonly behaviour?: { flowElements?: unknown; extensionElements?: unknown }
}
