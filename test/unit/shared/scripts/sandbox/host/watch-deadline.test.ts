import { afterEach, describe, expect, it, vi } from 'vitest'
import { watchDeadline } from '../../../../../../shared/scripts/sandbox/host/watch-deadline.ts'

const limits = { cpuMs: 1_000, wallMs: 10_000, memoryMb: 32 }
const tooLongComputing = 'The script took longer than 1 s to compute'
const tooLongWithCalls = 'The script took longer than 10 s with its calls'

/** Watches a run that has computed for so many milliseconds after so many have passed. */
function watch(computedMs: (passedMs: number) => number, isCalling = false) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'hrtime'] })
  const startedAt = process.hrtime.bigint()
  const passedMs = () => Number(process.hrtime.bigint() - startedAt) / 1e6
  const ended: [string, number][] = []
  const end = (message: string) => ended.push([message, Math.round(passedMs())])
  const stop = watchDeadline({
    limits: limits as never,
    computedMs: () => computedMs(passedMs()),
    isCalling: () => isCalling,
    stopCall: (message) => ended.push([`call: ${message}`, Math.round(passedMs())]),
    kill(message) {
      stop()
      end(message)
    },
  })
  return { ended, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) }
}
afterEach(() => void vi.useRealTimers())

describe('the watch over a run', () => {
  it('ends a thread that has computed for longer than its limit', async () => {
    const run = watch((passed) => passed)
    await run.pass(2_000)
    expect(run.ended).toEqual([[tooLongComputing, expect.closeTo(1_250, -2)]])
  })

  it('leaves one alone that computes little because the machine is busy, until its limit of time', async () => {
    const run = watch((passed) => passed / 20)
    await run.pass(9_900)
    expect(run.ended).toEqual([])
    await run.pass(600)
    expect(run.ended).toEqual([[tooLongWithCalls, expect.closeTo(10_250, -2)]])
  })

  it('sees soon that it computes at last', async () => {
    const run = watch((passed) => Math.max(0, passed - 5_000))
    await run.pass(9_000)
    expect(run.ended).toEqual([[tooLongComputing, expect.closeTo(6_300, -3)]])
  })

  it('ends one of which the machine does not tell how long it has computed, and stops the call that it waits for', async () => {
    const silent = watch(() => 0)
    await silent.pass(10_400)
    expect(silent.ended).toEqual([[tooLongWithCalls, expect.closeTo(10_250, -2)]])
    const calling = watch(() => 0, true)
    await calling.pass(10_100)
    expect(calling.ended).toEqual([[`call: ${tooLongWithCalls}`, expect.closeTo(10_000, -2)]])
  })
})
