import * as Elements from 'bpmn-elements'
import { TypeResolver } from 'moddle-context-serializer'
import { TokenProcess } from './token-process.ts'

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
