/** Copies a caller's input into a validated request. The input is never changed or kept. */

import { type RequestRules, type Validated, type ValidRequest, rulesOf, validations } from '../dynalite.ts'
import '../expressions/expression-cache.ts'
import type { Item } from '../items/attribute-value.ts'
import { requestReader } from './request-reader.ts'

/** Sizes are checked here, in bytes, so dynalite's limit in characters is turned off. */
const withoutSizeLimit = { options: { maxItemSize: Number.POSITIVE_INFINITY } }

const keysPerBatch = 100

const onConditionFailure = { type: 'String', enum: ['NONE', 'ALL_OLD'] }

const rules = Object.fromEntries(
  Object.entries(rulesOf).map(([operation, { types, custom }]) => {
    const conditional = 'ConditionExpression' in types
    const known = conditional ? { ...types, ReturnValuesOnConditionCheckFailure: onConditionFailure } : types
    return [operation, { types: known, custom, copy: requestReader(known) }]
  }),
) as Record<Validated, RequestRules & { copy: ReturnType<typeof requestReader> }>

/**
 * The request as dynalite's validations accept it, with its expressions parsed. Throws the error AWS would answer, in
 * dynalite's words.
 */
export function readRequest(operation: Validated, input: object): ValidRequest {
  const { types, custom, copy } = rules[operation]
  const request = copy(input) as ValidRequest | undefined
  if (request) {
    const restore = operation === 'BatchGetItem' ? detachKeys(request) : detachItems(request)
    validations.checkValidations(request, types, custom, withoutSizeLimit)
    restore()
    return request
  }
  const unusualRequest = validations.checkTypes(JSON.parse(JSON.stringify(input)), types)
  validations.checkValidations(unusualRequest, types, custom, withoutSizeLimit)
  return unusualRequest as ValidRequest
}

/** Hides items from dynalite's validation: the reader has checked every attribute value already. */
function detachItems(
  request: ValidRequest & { RequestItems?: Record<string, Array<{ PutRequest?: ItemHolder }>> },
): () => void {
  const puts = request.RequestItems
    ? Object.values(request.RequestItems)
        .flat()
        .map((write) => write.PutRequest)
    : [request]
  const holders = puts.filter((put) => put?.Item !== undefined) as ItemHolder[]
  const items = holders.map((holder) => holder.Item)
  for (const holder of holders) holder.Item = {}
  return () => holders.forEach((holder, i) => (holder.Item = items[i]!))
}

/**
 * Hides all keys of a batch but one a table from dynalite's validation, which takes longer than to read the items. The
 * reader has checked their values; whoever reads the items checks that they are keys, and distinct.
 */
function detachKeys({ RequestItems = {} }: ValidRequest & { RequestItems?: Record<string, KeysHolder> }): () => void {
  const holders = Object.values(RequestItems)
  const keys = holders.map((holder) => holder.Keys)
  const isUsual = keys.every((some) => some !== undefined && some.length > 0) && keys.flat().length <= keysPerBatch
  if (!isUsual) return () => {}
  for (const [i, holder] of holders.entries()) holder.Keys = keys[i]!.slice(0, 1)
  return () => holders.forEach((holder, i) => (holder.Keys = keys[i]))
}

interface KeysHolder {
  Keys?: Item[]
}

interface ItemHolder {
  Item: Item
}
