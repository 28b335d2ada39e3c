import * as Elements from 'bpmn-elements'
import { TypeResolver } from 'moddle-context-serializer'

type Resolve = ReturnType<typeof TypeResolver>

const resolveKnown = TypeResolver({ ...Elements })

/** What bpmn-elements makes of an element; what it has never heard of (interfaces, item definitions, ...) is nothing to it. */
export const resolveType: Resolve = (entity) => {
  try {
    return resolveKnown(entity)
  } catch {
    Object.assign(entity, { Behaviour: Elements.Dummy })
  }
}
