/**
 * Records provider calls for tests: how many a request made, and how many of them had to wait for one another.
 */
export interface RecordedCall {
  readonly service: string
  readonly operation: string
  readonly functionName: string
  /** The invocation (`awsRequestId`). */
  readonly requestId: string
  /** The HTTP request behind it (`apigw-requestid` of the answer), when there is one. */
  readonly httpRequestId?: string
  readonly input: unknown
  /** Order of starts and ends among all calls; `end` is 0 while the call is under way. */
  readonly start: number
  readonly end: number
}

export interface CallCount {
  readonly calls: readonly RecordedCall[]
  /** The longest chain of calls each of which began after the one before had ended. */
  readonly roundTrips: number
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
      return { calls: chosen, roundTrips: longestChain(chosen) }
    },
    clear() {
      calls = []
    },
  }
}

/** Taking the call that ends first, again and again, gives the longest chain of intervals that do not overlap. */
function longestChain(calls: readonly RecordedCall[]): number {
  let length = 0
  let free = 0
  for (const call of calls.filter(({ end }) => end > 0).toSorted((a, b) => a.end - b.end)) {
    if (call.start < free) continue
    length++
    free = call.end
  }
  return length
}
