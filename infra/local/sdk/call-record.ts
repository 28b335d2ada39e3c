/** Records provider calls for tests: how many a request makes, in how many round trips, and the units they consume. */
import type { Charge } from '../dynamodb/capacity/charges.ts'

export interface RecordedCall {
  readonly service: string
  readonly operation: string
  readonly functionName: string
  /** The invocation (`awsRequestId`). */
  readonly requestId: string
  /** The HTTP request behind it (`apigw-requestid` of the response), if there is one. */
  readonly httpRequestId?: string
  readonly input: unknown
  /** Request units of a call to DynamoDB, by table and index; complete once the call has ended. */
  readonly charges: readonly Charge[]
  /** Positions in the order of all starts and ends; `end` is 0 while the call is in flight. */
  readonly start: number
  readonly end: number
}

export interface CallCount {
  readonly calls: readonly RecordedCall[]
  /** Length of the longest chain of calls in which each started after the previous one had ended. */
  readonly roundTrips: number
  /** Request units of DynamoDB, tables and indexes together. */
  readonly readUnits: number
  readonly writeUnits: number
}

export interface CallRecord {
  recording: boolean
  begin(call: Omit<RecordedCall, 'start' | 'end'>): () => void
  /** The calls of one request (HTTP request id or invocation id), or all. */
  of(requestId?: string): CallCount
  clear(): void
}

export function openCallRecord(recording: boolean): CallRecord {
  let calls: { -readonly [member in keyof RecordedCall]: RecordedCall[member] }[] = []
  let moment = 0
  return {
    recording,
    begin(call) {
      const recorded = { ...call, start: ++moment, end: 0 }
      calls.push(recorded)
      return () => {
        recorded.end = ++moment
      }
    },
    of(requestId) {
      const chosen =
        requestId === undefined
          ? [...calls]
          : calls.filter((call) => call.requestId === requestId || call.httpRequestId === requestId)
      return {
        calls: chosen,
        roundTrips: maxChain(chosen),
        readUnits: unitsOf(chosen, 'read'),
        writeUnits: unitsOf(chosen, 'write'),
      }
    },
    clear() {
      calls = []
    },
  }
}

const unitsOf = (calls: readonly RecordedCall[], kind: Charge['kind']): number =>
  calls.flatMap(({ charges }) => charges).reduce((sum, charge) => sum + (charge.kind === kind ? charge.units : 0), 0)

/** Interval scheduling: always taking the call that ends first gives the longest chain. */
function maxChain(calls: readonly RecordedCall[]): number {
  let length = 0
  let free = 0
  for (const call of calls.filter(({ end }) => end > 0).toSorted((a, b) => a.end - b.end)) {
    if (call.start < free) continue
    length++
    free = call.end
  }
  return length
}
