import serializer from 'moddle-context-serializer'
import { resolveType } from './resolve-type.ts'

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
