import * as Elements from 'bpmn-elements'
import serializer, { TypeResolver } from 'moddle-context-serializer'

const resolveType = TypeResolver({ ...Elements })

/** What moddle read of a document, as the engine starts from it: JSON. `moddleContext`: what `fromXML` resolves to. */
export function serializeContext(moddleContext: unknown): unknown {
  return JSON.parse(serializer(moddleContext as Parameters<typeof serializer>[0], resolveType as Parameters<typeof serializer>[1]).serialize())
}
