import type { LocalCloud } from '../../infra/local/runtime/cloud.ts'
import type { Fault, FaultAction, ProviderCall } from '../../infra/local/runtime/faults.ts'

/** One call of an operation, findable again in another run: the nth of its kind. */
export interface CallSite {
  readonly service: string
  readonly operation: string
  readonly functionName: string
  readonly nth: number
}

/** What goes wrong, and where; `name` is the same in every run. */
export interface FaultCase {
  readonly name: string
  readonly fault: Fault
}

/** Everything that passes the fault point until `stop`: calls of functions, and deliveries to them. */
export function watchCalls(cloud: Pick<LocalCloud, 'faults'>): { stop(): CallSite[] } {
  const seen: ProviderCall[] = []
  let watching = true
  cloud.faults.inject({
    when(call) {
      // The test's own look at the store is no function's call.
      if (watching && call.functionName !== '') seen.push(call)
      return false
    },
    action: 'throttle',
  })
  return {
    stop() {
      watching = false
      const counts = new Map<string, number>()
      return seen.map(({ service, operation, functionName }) => {
        const kind = `${functionName} ${service} ${operation}`
        const nth = counts.get(kind) ?? 0
        counts.set(kind, nth + 1)
        return { service, operation, functionName, nth }
      })
    },
  }
}

const batches = new Set(['BatchWriteItem', 'BatchGetItem', 'SendMessageBatch'])
const reads = new Set(['GetItem', 'BatchGetItem', 'Query'])
const pause: FaultAction = { delay: 60 }

/** What may go wrong at a call: for a read what happens before it matters, for a write what happens after as well. */
function actionsAt({ service, operation }: CallSite): [string, FaultAction][] {
  const named = (...actions: Extract<FaultAction, string>[]): [string, FaultAction][] =>
    actions.map((action) => [action, action])
  const late: [string, FaultAction] = ['delay', pause]
  const half = batches.has(operation) ? named('leave-out') : []
  if (service === 'lambda') return [...named('crash-before', 'crash-after', 'repeat', 'reorder'), late]
  if (service === 's3' || reads.has(operation))
    return [...named('crash-before', 'lose-answer', 'throttle'), ...half, late]
  if (service === 'sqs')
    return [...named('crash-before', 'crash-after', 'lose-answer', 'throttle', 'repeat', 'reorder'), ...half, late]
  const conflict = operation === 'BatchWriteItem' ? [] : named('conflict')
  return [...named('crash-before', 'crash-after', 'lose-answer', 'throttle', 'repeat'), ...conflict, ...half, late]
}

/** Every call with everything that may go wrong at it, unless only interference is meant; with `interferes` also what somebody else does right before it. */
export function faultCases(
  calls: readonly CallSite[],
  interferes: boolean,
  onlyInterference = false,
): ((interfere: () => Promise<unknown>) => FaultCase)[] {
  return calls.flatMap((call) => {
    const { service, operation, functionName, nth } = call
    const place = { service, operation, functionName, skip: nth }
    const name = `${shortName(functionName)} ${operation} #${nth + 1}`
    const actions = onlyInterference ? [] : actionsAt(call)
    const cases = actions.map(([word, action]) => () => ({ name: `${name} ${word}`, fault: { ...place, action } }))
    if (!interferes || service !== 'dynamodb') return cases
    return [
      ...cases,
      (interfere: () => Promise<unknown>) => ({
        name: `${name} interfere`,
        fault: { ...place, action: { delay: interfere } },
      }),
    ]
  })
}

/** CDK's names begin with the stack's and end with a hash. */
const shortName = (functionName: string): string => functionName.replace(/^local-/, '').replace(/[0-9A-F]{8}.*$/, '')
