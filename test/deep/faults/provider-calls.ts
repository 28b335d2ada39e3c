import type { LocalCloud } from '../../../infra/local/runtime/local-cloud.ts'
import type { Fault, FaultAction, ProviderCall } from '../../../infra/local/sdk/faults/fault-point.ts'

/** One provider call of an operation, by which another run finds it again: the nth of its kind. */
export interface CallSite {
  readonly service: string
  readonly operation: string
  readonly functionName: string
  readonly nth: number
}

/** A fault and the call it strikes; `name` is the same in every run. */
export interface FaultCase {
  readonly name: string
  readonly fault: Fault
}

/** Records every call that faults can strike until `stop`: calls by functions, and deliveries to them. */
export function watchCalls(cloud: Pick<LocalCloud, 'faults'>): { stop(): CallSite[] } {
  const seen: ProviderCall[] = []
  let watching = true
  cloud.faults.inject({
    when(call) {
      // Calls by the test itself have no function name.
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

/** The faults that a call may have: after a read, unlike after a write, a crash makes no difference. */
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

/**
 * Every call with each of its faults, unless `onlyInterference`; with `interferes` also the concurrent request right
 * before it.
 */
export function faultCases(
  calls: readonly CallSite[],
  interferes: boolean,
  onlyInterference = false,
): ((interfere: () => Promise<unknown>) => FaultCase)[] {
  return calls.flatMap((site) => {
    const { service, operation, functionName, nth } = site
    const call = { service, operation, functionName, skip: nth }
    const name = `${shortName(functionName)} ${operation} #${nth + 1}`
    const actions = onlyInterference ? [] : actionsAt(site)
    const cases = actions.map(([word, action]) => () => ({ name: `${name} ${word}`, fault: { ...call, action } }))
    if (!interferes || service !== 'dynamodb') return cases
    return [
      ...cases,
      (interfere: () => Promise<unknown>) => ({
        name: `${name} interfere`,
        fault: { ...call, action: { delay: interfere } },
      }),
    ]
  })
}

/** Names that CDK makes begin with the stack and end with a hash. */
const shortName = (functionName: string): string => functionName.replace(/^local-/, '').replace(/[0-9A-F]{8}.*$/, '')
