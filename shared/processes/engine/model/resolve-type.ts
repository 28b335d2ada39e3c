import * as Elements from 'bpmn-elements'
import { TypeResolver } from 'moddle-context-serializer'
import { TokenProcess } from './token-process.ts'

type Resolve = ReturnType<typeof TypeResolver>

const resolveKnown = TypeResolver({ ...Elements, Process: TokenProcess })

/** What bpmn-elements runs an element as; what it has never heard of (interfaces, item definitions, ...) is nothing to it. */
export const resolveType: Resolve = (entity) => {
  try {
    return resolveKnown(entity)
  } catch {
    Object.assign(entity, { Behaviour: Elements.Dummy })
  }
}
