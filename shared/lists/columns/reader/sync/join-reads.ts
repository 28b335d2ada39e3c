import type { Key } from '../../../../platform/store/keys/key.ts'
import type { Scope, Store } from '../../../../platform/store/store.ts'
import type { Item } from '../../../../platform/store/values/marshal.ts'
import { maxCallKeys } from '../../blocks.ts'

/** A call that goes out at the end of this turn. */
interface JointCall {
  readonly keys: Key[]
  readonly items: Promise<(Item | undefined)[]>
}

/**
 * The same store, whose eventually consistent reads by key are made together: those of one turn that fit into one call go
 * out as one. All must be for the same scope. Other reads are made as they are.
 */
export function joinReads<S extends Pick<Store, 'getMany'>>(store: S): S {
  let next: JointCall | undefined

  function begin(scope: Scope): JointCall {
    const keys: Key[] = []
    const items = Promise.resolve().then(() => {
      if (next === call) next = undefined
      return store.getMany(scope, keys, undefined, { consistent: false })
    })
    const call: JointCall = { keys, items }
    return call
  }

  const getMany: Store['getMany'] = async (scope, keys, attributes, options) => {
    const canWait = attributes === undefined && options?.consistent === false && keys.length <= maxCallKeys
    if (!canWait) return store.getMany(scope, keys, attributes, options)
    if (next && next.keys.length + keys.length > maxCallKeys) next = undefined
    const call = (next ??= begin(scope))
    const start = call.keys.length
    call.keys.push(...keys)
    return (await call.items).slice(start, start + keys.length)
  }

  return { ...store, getMany }
}
