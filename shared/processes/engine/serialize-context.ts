import serializer from 'moddle-context-serializer'
import { resolveType } from './resolve-type.ts'

/** What moddle read of a document, as the engine starts from it: JSON. `moddleContext`: what `fromXML` resolves to. */
export function serializeContext(moddleContext: unknown): unknown {
  const context = JSON.parse(serializer(moddleContext as Parameters<typeof serializer>[0], resolveType).serialize()) as SerializedContext
  // Every element stands in the context by itself: what processes and sub-processes repeat of them is never read.
  for (const { behaviour } of [...context.processes, ...context.activities]) if (behaviour !== undefined) delete behaviour.flowElements
  return context
}

interface SerializedContext {
  readonly processes: readonly Described[]
  readonly activities: readonly Described[]
}
interface Described {
  readonly behaviour?: { flowElements?: unknown }
}
